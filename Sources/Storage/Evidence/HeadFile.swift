internal import Base
internal import Synchronization

/// Keeps signed heads outside the database: a file to which each head is added.
///
/// A database that was put back to an older state, or rewritten, does not agree with these heads, and gets no further
/// signatures.
public final class HeadFile: Sendable {
  private let file: AppendOnlyFile
  private let newest: Mutex<[String: SignedCheckpoint]>

  /// Reads what the file holds already. It need not be there.
  public init(_ path: String) throws {
    var newest: [String: SignedCheckpoint] = [:]
    if Files.exists(path) {
      let text = String(decoding: try Files.read(path, limit: 1 << 30), as: UTF8.self)
      for head in try SignedCheckpoint.list(text, at: path) { Self.keep(head, in: &newest) }
    }
    file = try AppendOnlyFile(path)
    self.newest = Mutex(newest)
  }

  /// The largest head of a log that was handed out.
  func head(of origin: String) -> SignedCheckpoint? { newest.withLock { $0[origin] } }

  func append(_ head: SignedCheckpoint) throws(FileError) {
    try file.append(Array("\(head.note)\n".utf8))
    newest.withLock { Self.keep(head, in: &$0) }
  }

  private static func keep(_ head: SignedCheckpoint, in newest: inout [String: SignedCheckpoint]) {
    let origin = head.checkpoint.origin
    if head.checkpoint.size >= newest[origin]?.checkpoint.size ?? 0 { newest[origin] = head }
  }
}
