package import Base
internal import Synchronization

/// Keeps signed heads outside the database, in a file to which each head is appended. A file that has grown large is
/// replaced by a shorter one.
///
/// A database that was set back to an older state, or rewritten, contradicts these heads, so its logs are not signed
/// any more.
public final class HeadFile: Sendable {
  private let path: String
  private let file: AppendOnlyFile
  /// The number of bytes beyond which the file is shortened.
  private let limit: Mutex<Int>
  private let leastLimit: Int
  private let newest: Mutex<[String: SignedCheckpoint]>

  /// Opens the file and reads its heads. The file need not exist, and a crash may have truncated its last head.
  public convenience init(_ path: String) throws { try self.init(path, limit: 16 << 20) }

  /// - Parameter limit: the number of bytes beyond which the file is shortened.
  package init(_ path: String, limit: Int) throws {
    self.path = path
    leastLimit = limit
    self.limit = Mutex(limit)
    file = try AppendOnlyFile(path, repair: { HeadFile.repair($0) })
    newest = Mutex(try Self.newest(in: path))
  }

  /// The largest head of a log in the file.
  package func head(of origin: String) -> SignedCheckpoint? { newest.withLock { $0[origin] } }

  /// The largest heads of all logs whose names begin with a prefix.
  func heads(under prefix: String) -> [Checkpoint] {
    newest.withLock { $0.values.map(\.checkpoint).filter { $0.origin.hasPrefix(prefix) } }
  }

  /// Appends heads. They are on disk when this returns.
  package func append(_ heads: [SignedCheckpoint]) throws(FileError) {
    try file.append(heads.flatMap { Array("\($0.note)\n".utf8) })
    try file.sync()
    newest.withLock { newest in
      for head in heads where head.checkpoint.size >= newest[head.checkpoint.origin]?.checkpoint.size ?? 0 {
        newest[head.checkpoint.origin] = head
      }
    }
    shorten()
  }

  /// Replaces the file by a shorter one if it has grown beyond the limit, and sets the next limit to twice its new
  /// size. If that fails, for example because the disk is full, the file may grow to twice its present size first.
  private func shorten() {
    guard let size = try? file.byteCount, limit.withLock({ size > $0 }) else { return }
    try? file.replace { try Self.shortened(path) }
    let left = (try? file.byteCount) ?? size
    limit.withLock { $0 = max(leastLimit, left * 2) }
  }

  /// The contents of a shortened file. Of each log it keeps the newest head and, among the earlier ones, the oldest in
  /// each range of distances from the newest: 1, 2–3, 4–7 events and so on. So a comparison with an altered log still
  /// shows roughly where it was altered.
  private static func shortened(_ path: String) throws -> [UInt8] {
    let sizes = try newest(in: path).mapValues(\.checkpoint.size)
    var kept: [String: [Int: (size: Int64, note: [UInt8])]] = [:]
    try each(in: path) { log, size, note in
      let origin = String(decoding: log, as: UTF8.self)
      let distance = (sizes[origin] ?? size) - size
      let place = Int64.bitWidth - distance.leadingZeroBitCount
      // Of several heads of the newest size the last is kept, which another key may have signed.
      if distance == 0 || size < kept[origin]?[place]?.size ?? .max {
        kept[origin, default: [:]][place] = (size, note.bytes)
      }
    }
    var bytes: [UInt8] = []
    for (_, heads) in kept.sorted(by: { $0.key < $1.key }) {
      for head in heads.values.sorted(by: { $0.size < $1.size }) { bytes += head.note + [0x0A] }
    }
    return bytes
  }

  /// The largest head of each log in a file. Only the sizes of the others are read, since there may be millions.
  private static func newest(in path: String) throws -> [String: SignedCheckpoint] {
    var largest: [ArraySlice<UInt8>: (size: Int64, note: NoteReader.Note)] = [:]
    try each(in: path) { log, size, note in
      if size >= largest[log]?.size ?? 0 { largest[log] = (size, note) }
    }
    var heads: [String: SignedCheckpoint] = [:]
    for (_, note) in largest.values {
      let head = try SignedCheckpoint(note, in: path)
      heads[head.checkpoint.origin] = head
    }
    return heads
  }

  /// Calls `body` with each head of a file, and its log and size.
  private static func each(
    in path: String, _ body: (_ log: ArraySlice<UInt8>, _ size: Int64, _ note: NoteReader.Note) -> Void
  ) throws {
    func take(_ note: NoteReader.Note) throws(EvidenceProblem) {
      let lines = note.bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
      guard lines.count == 3, let size = Int64(String(decoding: lines[1], as: UTF8.self)), size >= 0 else {
        // Throws the error that says what is wrong with this note.
        _ = try SignedCheckpoint(note, in: path)
        return
      }
      body(lines[0], size, note)
    }
    var reader = NoteReader()
    try Files.pieces(of: path) { piece in try reader.add(piece) { note throws(EvidenceProblem) in try take(note) } }
    for note in reader.rest() {
      let isHead = (try? SignedCheckpoint(note, in: path))?.isEnded == true
      if isHead || !SignedCheckpoint.isBeginning(note.bytes.dropLast(note.lacksEnd ? 1 : 0)) { try take(note) }
    }
  }

  /// How to repair a file's end after a crash, from its last bytes. What follows the last complete line of a signature
  /// is cut off if it is the beginning of a head. If it is a whole head, or anything else, only the ends of lines are
  /// added.
  private static func repair(_ end: [UInt8]) -> AppendOnlyFile.Repair {
    var (lineStart, wholeEnd) = (0, 0)
    for (index, byte) in end.enumerated() where byte == 0x0A {
      if end[lineStart..<index].starts(with: NoteReader.signature) { wholeEnd = index + 1 }
      lineStart = index + 1
    }
    let rest = end[wholeEnd...].drop { $0 == 0x0A }
    if rest.isEmpty { return .none }
    let isHead = (try? SignedCheckpoint(note: String(decoding: rest, as: UTF8.self) + "\n"))?.isEnded == true
    return isHead || !SignedCheckpoint.isBeginning(rest) ? .add([0x0A, 0x0A]) : .cut(rest.count)
  }
}
