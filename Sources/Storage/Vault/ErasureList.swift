public import Base

/// A file beside a database that names what was erased and what is held, so that it stays so when a backup is restored.
///
/// It holds identifiers that reveal nothing, and times. Lines are only added; see
/// docs/decisions/0079-erasures-outlive-backups.md.
public final class ErasureList: Sendable {
  public let path: String
  private let file: AppendOnlyFile
  private static let mostBytes = 1 << 30

  public init(_ path: String) throws(FileError) {
    self.path = path
    try Files.makePrivate(path)
    file = try AppendOnlyFile(path, mode: 0o600)
  }

  /// All facts, in the order in which they came, each once. A line that a crash cut short is none.
  func facts() throws(FileError) -> [ErasureFact] {
    var names: Set<String> = []
    let text = String(decoding: try Files.read(path, limit: Self.mostBytes), as: UTF8.self)
    return text.split(separator: "\n").compactMap { ErasureFact(line: $0) }.filter { names.insert($0.name).inserted }
  }

  /// Adds facts, all or none; they are on disk when this returns.
  func append(_ facts: [ErasureFact]) throws(FileError) {
    try file.append(facts.flatMap { Array($0.line.utf8) })
    try file.sync()
  }
}
