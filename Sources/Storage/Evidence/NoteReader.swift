internal import Base

/// Takes the notes out of a file of heads, in which they stand one after the other with blank lines between them. The
/// file comes in pieces, however large it is.
struct NoteReader {
  struct Note {
    /// Which one of the file it is, from 1 on.
    let number: Int
    let bytes: [UInt8]
    /// Whether the end of its last line was not in the file.
    var lacksEnd = false
  }

  private var line: [UInt8] = []
  private var note: [UInt8] = []
  private var isSigned = false
  private var count = 0

  /// How the line of a signature begins.
  static let signature = Array("— ".utf8)

  /// - Parameter body: gets each note that has ended.
  mutating func add<Failure: Error>(
    _ piece: some Sequence<UInt8>, _ body: (Note) throws(Failure) -> Void
  ) throws(Failure) {
    for byte in piece {
      if byte != 0x0A {
        // What is longer is no head, however it goes on.
        if line.count <= SignedCheckpoint.mostBytes { line.append(byte) }
      } else if let ended = endLine() {
        try body(ended)
      }
    }
  }

  /// What is left at the file's end: a note after which no blank line came, or one that a crash cut short.
  mutating func rest() -> [Note] {
    let lacksEnd = !line.isEmpty
    let ended = lacksEnd ? endLine() : nil
    var last = endNote()
    last?.lacksEnd = lacksEnd
    return [ended, last].compactMap { $0 }
  }

  private mutating func endLine() -> Note? {
    let isSignature = line.starts(with: Self.signature)
    let ended = isSigned && !isSignature ? endNote() : nil
    defer { line.removeAll(keepingCapacity: true) }
    if note.isEmpty, line.isEmpty { return ended }
    if note.count <= SignedCheckpoint.mostBytes { note += line + [0x0A] }
    isSigned = isSignature
    return ended
  }

  private mutating func endNote() -> Note? {
    guard !note.isEmpty else { return nil }
    count += 1
    defer { (note, isSigned) = ([], false) }
    return Note(number: count, bytes: note)
  }
}

extension SignedCheckpoint {
  /// - Parameter place: what the file is called when the note is refused.
  init(_ note: NoteReader.Note, in place: String) throws(EvidenceProblem) {
    try self.init(note: String(decoding: note.bytes, as: UTF8.self), at: "\(place), head \(note.number)")
  }

  /// The notes of a file, one after the other with blank lines between them.
  public static func list(_ text: String, at place: String = "heads") throws(EvidenceProblem) -> [SignedCheckpoint] {
    var heads: [SignedCheckpoint] = []
    var reader = NoteReader()
    try reader.add(text.utf8) { note throws(EvidenceProblem) in heads.append(try SignedCheckpoint(note, in: place)) }
    for note in reader.rest() { heads.append(try SignedCheckpoint(note, in: place)) }
    return heads
  }

  /// Whether these may be the first bytes of a note, of which the others are missing.
  static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // Any line but the last is whole.
    for (index, line) in lines.dropLast().enumerated() {
      let fits =
        switch index {
        case 0: !line.isEmpty && !line.contains { $0.isWhitespace || $0 == "+" }
        case 1: Int64(line) != nil
        case 2: Base64.decode(line).flatMap { Digest(bytes: $0) } != nil
        case 3: line.isEmpty
        default: false
        }
      if !fits { return false }
    }
    return true
  }
}
