internal import Base
internal import ConsentContract
internal import Storage
internal import Synchronization

/// A cache of the heads of subjects' records, for answers in a millisecond: read once per subject, dropped when an
/// event about the subject arrives from any process.
final class RecordHeads: Sendable {
  struct Entry: Sendable {
    let records: [ConsentRecord]
    let demands: [String: [ReconsentDemand]]
  }

  private struct Key: Hashable {
    let tenant: String
    let subject: String
  }

  private struct Memory {
    var entries: [Key: Entry] = [:]
    /// Counts drops: data that was read before a drop and stored after it would be stale for ever.
    var drops = 0
  }

  private static let most = 100_000
  private let database: Database
  private let scripts: ScriptCache
  private let memory = Mutex(Memory())

  /// - Parameter scripts: contain a tenant's own texts, and are dropped with them.
  init(database: Database, scripts: ScriptCache) {
    self.database = database
    self.scripts = scripts
  }

  func entry(of subject: String, tenant: Tenant, within time: Duration) async throws -> Entry {
    let key = Key(tenant: tenant.id, subject: subject)
    let (known, drops) = memory.withLock { ($0.entries[key], $0.drops) }
    if let known { return known }
    let entry = try await database.scope(tenant).read(within: time) { snapshot in
      let records = try RecordStore.heads(of: subject, snapshot)
      var demands: [String: [ReconsentDemand]] = [:]
      for id in Set(records.map(\.documentID)) where !id.isEmpty {
        demands[id] = try DocumentStore.demands(id, snapshot)
      }
      return Entry(records: records, demands: demands)
    }
    memory.withLock { memory in
      guard memory.drops == drops else { return }
      if memory.entries.count >= Self.most { memory.entries.removeAll() }
      memory.entries[key] = entry
    }
    return entry
  }

  /// Drops what this process itself has changed, before the change is answered.
  func forget(_ records: [ConsentRecord], of tenant: String) {
    forget(Set(records.map(\.subjectID)), of: tenant)
  }

  private func forget(_ subjects: Set<String>, of tenant: String) {
    guard !subjects.isEmpty else { return }
    memory.withLock { memory in
      memory.drops += 1
      for subject in subjects { memory.entries[Key(tenant: tenant, subject: subject)] = nil }
    }
  }

  private func forgetAll(of tenant: String) {
    scripts.forgetAll()
    memory.withLock { memory in
      memory.drops += 1
      memory.entries = memory.entries.filter { $0.key.tenant != tenant }
    }
  }

  /// Follows the events of all tenants, from any process, until the task is cancelled. While events cannot be read
  /// nothing is cached.
  func follow() async {
    var seen: [Tenant: Int64] = [:]
    while !Task.isCancelled {
      do {
        for try await head in database.watchEventHeads() {
          guard let last = seen[head.tenant] else {
            seen[head.tenant] = head.last
            forgetAll(of: head.tenant.id)
            continue
          }
          seen[head.tenant] = try await take(head.tenant, after: last)
        }
        return
      } catch {
        seen = [:]
        memory.withLock { memory in
          memory.drops += 1
          memory.entries = [:]
        }
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private func take(_ tenant: Tenant, after last: Int64) async throws -> Int64 {
    var last = last
    while true {
      let from = last
      let events = try await database.scope(tenant).read { try $0.events(after: from, limit: 500) }
      guard let newest = events.last else { return last }
      var subjects: Set<String> = []
      for event in events {
        guard let event = try event.decode(.consent) else { continue }
        switch event.kind {
        case .versionPublished, .versionRetired, .versionStopped: forgetAll(of: tenant.id)
        case .textsChanged, .translationAdded: scripts.forgetAll()
        case .recordEntry: subjects.insert(event.subjectID)
        default: break
        }
      }
      forget(subjects, of: tenant.id)
      last = newest.sequence
    }
  }
}
