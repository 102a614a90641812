package import Base
internal import Synchronization

/// Keeps signed heads outside the database: a file to which each head is added.
///
/// A database that was put back to an older state, or rewritten, does not agree with these heads, and gets no further
/// signatures.
public final class HeadFile: Sendable {
  private let file: AppendOnlyFile
  private let newest: Mutex<[String: SignedCheckpoint]>

  /// Reads what the file holds already. It need not be there, and its last head may be one that a crash cut short.
  public init(_ path: String) throws {
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
  }

  /// Of each log the largest head in a file. The others are counted and not read: there may be millions of them.
  private static func newest(in path: String) throws -> [String: SignedCheckpoint] {
    var largest: [ArraySlice<UInt8>: (size: Int64, note: NoteReader.Note)] = [:]
    func keep(_ note: NoteReader.Note) throws(EvidenceProblem) {
      let lines = note.bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
      guard lines.count == 3, let size = Int64(String(decoding: lines[1], as: UTF8.self)) else {
        // Refuses it by name.
        _ = try SignedCheckpoint(note, in: path)
        return
      }
      if size >= largest[lines[0]]?.size ?? 0 { largest[lines[0]] = (size, note) }
    }
    var reader = NoteReader()
    try Files.pieces(of: path) { piece in try reader.add(piece) { note throws(EvidenceProblem) in try keep(note) } }
    for note in reader.rest() {
      let isHead = (try? SignedCheckpoint(note, in: path))?.isEnded == true
      if isHead || !SignedCheckpoint.isBeginning(note.bytes.dropLast(note.lacksEnd ? 1 : 0)) { try keep(note) }
    }
    var heads: [String: SignedCheckpoint] = [:]
    for (_, note) in largest.values {
      let head = try SignedCheckpoint(note, in: path)
      heads[head.checkpoint.origin] = head
    }
    return heads
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
