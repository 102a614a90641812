package import Base
internal import Synchronization

/// Keeps signed heads outside the database: a file to which each head is added. A file that has grown large is replaced
/// by a shorter one.
///
/// A database that was put back to an older state, or rewritten, does not agree with these heads, and gets no further
/// signatures.
public final class HeadFile: Sendable {
  private let path: String
  private let file: AppendOnlyFile
  /// Beyond so many bytes the file is shortened.
  private let limit: Mutex<Int>
  private let leastLimit: Int
  private let newest: Mutex<[String: SignedCheckpoint]>

  /// Reads what the file holds already. It need not be there, and its last head may be one that a crash cut short.
  public convenience init(_ path: String) throws { try self.init(path, limit: 16 << 20) }

  /// - Parameter limit: how many bytes the file has before it is shortened.
  package init(_ path: String, limit: Int) throws {
    self.path = path
    leastLimit = limit
    self.limit = Mutex(limit)
    file = try AppendOnlyFile(path, repair: { HeadFile.repair($0) })
    newest = Mutex(try Self.newest(in: path))
  }

  /// The largest head of a log that was handed out.
  package func head(of origin: String) -> SignedCheckpoint? { newest.withLock { $0[origin] } }

  /// The same of all logs whose names begin so.
  func heads(under prefix: String) -> [Checkpoint] {
    newest.withLock { $0.values.map(\.checkpoint).filter { $0.origin.hasPrefix(prefix) } }
  }

  /// Adds heads; they are on disk when this returns.
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

  /// Replaces the file where it has grown beyond the limit: to be shortened again when it has twice the bytes that are
  /// left. If that fails, for want of room for example, it grows on until then.
  private func shorten() {
    guard let size = try? file.byteCount, limit.withLock({ size > $0 }) else { return }
    try? file.replace { try Self.shortened(path) }
    let left = (try? file.byteCount) ?? size
    limit.withLock { $0 = max(leastLimit, left * 2) }
  }

  /// The newest head of each log, and of those before it the first one at each distance, which doubles from one to the
  /// next: whoever compares an altered log learns where it was altered.
  private static func shortened(_ path: String) throws -> [UInt8] {
    let sizes = try newest(in: path).mapValues(\.checkpoint.size)
    var kept: [String: [Int: (size: Int64, note: [UInt8])]] = [:]
    try each(in: path) { log, size, note in
      let origin = String(decoding: log, as: UTF8.self)
      let distance = (sizes[origin] ?? size) - size
      let place = Int64.bitWidth - distance.leadingZeroBitCount
      // Of several newest ones the last, which another key may have signed.
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

  /// Of each log the largest head in a file. The others are counted and not read: there may be millions of them.
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

  /// Hands over each head of a file, with its log and size.
  private static func each(
    in path: String, _ body: (_ log: ArraySlice<UInt8>, _ size: Int64, _ note: NoteReader.Note) -> Void
  ) throws {
    func take(_ note: NoteReader.Note) throws(EvidenceProblem) {
      let lines = note.bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
      guard lines.count == 3, let size = Int64(String(decoding: lines[1], as: UTF8.self)), size >= 0 else {
        // Refuses it by name.
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

  /// What follows the last line of a signature is the beginning of a head, unless only the line's end is missing.
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
