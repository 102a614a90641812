internal import Base

/// Splits a file of heads into its notes, which follow each other with blank lines between them. The file is passed in
/// pieces, so that it may be of any size.
struct NoteReader {
  struct Note {
    /// The note's number in the file, from 1 on.
    let number: Int
    let bytes: [UInt8]
    /// Whether the file ends before the line feed of the note's last line.
    var lacksEnd = false
  }

  private var line: [UInt8] = []
  private var note: [UInt8] = []
  private var isSigned = false
  private var count = 0

  /// The beginning of each line with a signature.
  static let signature = Array("— ".utf8)

  /// - Parameter body: called with each complete note.
  mutating func add<Failure: Error>(
    _ piece: some Sequence<UInt8>, _ body: (Note) throws(Failure) -> Void
  ) throws(Failure) {
    for byte in piece {
      if byte != 0x0A {
        // A longer line cannot belong to a head, so its further bytes are dropped.
        if line.count <= SignedCheckpoint.mostBytes { line.append(byte) }
      } else if let ended = endLine() {
        try body(ended)
      }
    }
  }

  /// The notes left at the end of the file: one that no blank line follows, or that a crash has truncated.
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
  /// - Parameter place: the file's name in an error.
  init(_ note: NoteReader.Note, in place: String) throws(EvidenceProblem) {
    try self.init(note: String(decoding: note.bytes, as: UTF8.self), at: "\(place), head \(note.number)")
  }

  /// Reads notes that follow each other with blank lines between them.
  public static func list(_ text: String, at place: String = "heads") throws(EvidenceProblem) -> [SignedCheckpoint] {
    var heads: [SignedCheckpoint] = []
    var reader = NoteReader()
    try reader.add(text.utf8) { note throws(EvidenceProblem) in heads.append(try SignedCheckpoint(note, in: place)) }
    for note in reader.rest() { heads.append(try SignedCheckpoint(note, in: place)) }
    return heads
  }

  /// Whether these bytes may be a truncated note.
  static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // Every line but the last is complete.
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
