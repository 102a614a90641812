public import Base
internal import Synchronization

/// A file outside the database that lists erasures and holds, so that they can be repeated after a backup was restored.
///
/// It holds identifiers, which reveal nothing, and times. Lines are only appended; see
/// docs/decisions/0032-backups.md.
public final class ErasureList: Sendable {
  public let path: String
  private let file: AppendOnlyFile
  private let report: @Sendable (_ problem: String?) -> Void
  private let missing = Mutex(Missing())
  private static let mostBytes = 1 << 30

  private struct Missing {
    /// The facts that could not be added yet, in the order in which they happened.
    var facts: [ErasureFact] = []
    var isReported = false
  }

  /// - Parameter report: called once with the reason when facts cannot be added, and with nil when none are missing any
  ///   more.
  public convenience init(
    _ path: String, report: @escaping @Sendable (_ problem: String?) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(path, report: report, room: { $0 })
  }

  /// - Parameter room: for tests: how many of a number of bytes the disk has room for.
  package init(
    _ path: String, report: @escaping @Sendable (_ problem: String?) -> Void,
    room: @escaping @Sendable (_ count: Int) -> Int
  ) throws(FileError) {
    self.path = path
    self.report = report
    try Files.makePrivate(path)
    file = try AppendOnlyFile(path, mode: 0o600, room: room)
  }

  /// All facts in the file, each once, in the order of their first lines. Lines that a crash has truncated are ignored.
  func facts() throws(FileError) -> [ErasureFact] {
    var names: Set<String> = []
    let text = String(decoding: try Files.read(path, limit: Self.mostBytes), as: UTF8.self)
    return text.split(separator: "\n").compactMap { ErasureFact(line: $0) }.filter { names.insert($0.name).inserted }
  }

  /// Adds facts, after those that could not be added before: all of them or none. They are on disk when this returns.
  /// If it throws, the next call adds them.
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
      // If another call has added the same facts meanwhile, there is nothing to report.
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

  /// Whether facts of a tenant could not be added yet.
  func lacks(_ tenant: Tenant) -> Bool {
    missing.withLock { missing in missing.facts.contains { $0.tenant == tenant } }
  }

  /// Says how many facts could not be added, for operators; nil if none is missing.
  var problem: String? {
    missing.withLock { missing in
      missing.isReported ? "\(missing.facts.count) erasures and holds are not written down yet" : nil
    }
  }
}
