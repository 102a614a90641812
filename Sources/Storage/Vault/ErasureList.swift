public import Base
internal import Synchronization

/// A file beside a database that names what was erased and what is held, so that it stays so when a backup is restored.
///
/// It holds identifiers that reveal nothing, and times. Lines are only added; see
/// docs/decisions/0079-erasures-outlive-backups.md.
public final class ErasureList: Sendable {
  public let path: String
  private let file: AppendOnlyFile
  private let report: @Sendable (_ problem: String?) -> Void
  private let missing = Mutex(Missing())
  private static let mostBytes = 1 << 30

  private struct Missing {
    /// What could not be added so far, in the order in which it was done.
    var facts: [ErasureFact] = []
    var isReported = false
  }

  /// - Parameter report: told why something cannot be added, once; and nil when nothing is missing any more.
  public convenience init(
    _ path: String, report: @escaping @Sendable (_ problem: String?) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(path, report: report, room: { $0 })
  }

  /// - Parameter room: how many of so many bytes the disk takes, for tests.
  package init(
    _ path: String, report: @escaping @Sendable (_ problem: String?) -> Void,
    room: @escaping @Sendable (_ count: Int) -> Int
  ) throws(FileError) {
    self.path = path
    self.report = report
    try Files.makePrivate(path)
    file = try AppendOnlyFile(path, mode: 0o600, room: room)
  }

  /// All facts, in the order in which they came, each once. A line that a crash cut short is none.
  func facts() throws(FileError) -> [ErasureFact] {
    var names: Set<String> = []
    let text = String(decoding: try Files.read(path, limit: Self.mostBytes), as: UTF8.self)
    return text.split(separator: "\n").compactMap { ErasureFact(line: $0) }.filter { names.insert($0.name).inserted }
  }

  /// Adds facts, after those that could not be added before, all or none; they are on disk when this returns. If it
  /// throws, they are added with the next ones.
  func append(_ facts: [ErasureFact] = []) throws(FileError) {
    let wanted = missing.withLock { missing in
      let known = Set(missing.facts.map(\.name))
      missing.facts += facts.filter { !known.contains($0.name) }
      return missing.facts
    }
    if wanted.isEmpty { return }
    do throws(FileError) {
      try file.append(wanted.flatMap { Array($0.line.utf8) })
      try file.sync()
    } catch {
      // Another call may have added the same meanwhile.
      let isNews = missing.withLock { missing in
        guard !missing.facts.isEmpty, !missing.isReported else { return false }
        missing.isReported = true
        return true
      }
      if isNews { report(error.description) }
      throw error
    }
    let added = Set(wanted.map(\.name))
    let isNews = missing.withLock { missing in
      missing.facts.removeAll { added.contains($0.name) }
      guard missing.facts.isEmpty, missing.isReported else { return false }
      missing.isReported = false
      return true
    }
    if isNews { report(nil) }
  }

  /// Whether something could not be added that was done in a tenant.
  func lacks(_ tenant: Tenant) -> Bool {
    missing.withLock { missing in missing.facts.contains { $0.tenant == tenant } }
  }

  /// What could not be added at the last attempt, in a few words; nil for nothing.
  var problem: String? {
    missing.withLock { missing in
      missing.isReported ? "\(missing.facts.count) erasures and holds are not written down yet" : nil
    }
  }
}
