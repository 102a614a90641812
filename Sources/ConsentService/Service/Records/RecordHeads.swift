internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Synchronization
internal import Wire

/// A cache of the heads of subjects' records, for answers in a millisecond: read once per subject, dropped when an
/// event about the subject arrives from any process. It answers only while the process holds its lease.
final class RecordHeads: Sendable {
  struct Entry: Sendable {
    /// The records without histories and signatures, which no answer needs.
    let byStudy: [String: [ConsentRecord]]
    let demands: [ReconsentDemand]
    /// Whether all of the person's identifiers were erased: then nothing is permitted, whatever the records say.
    var isErased = false
    /// Those of the person's identifiers that were erased: a consent under one of them permits nothing.
    var erased: Set<String> = []
    /// Whether the person has several identifiers. An event about one of them would not drop the entry of another, so
    /// such an entry is not cached.
    var isOfSeveralNames = false
  }

  private struct Key: Hashable {
    let tenant: String
    let subject: String
  }

  private struct Memory {
    var entries: BoundedCache<Key, Entry>
    /// Counts drops; several keys share a counter. An entry that was read before a drop is not stored after it: it
    /// would be stale.
    var drops = [UInt32](repeating: 0, count: 4096)
    /// Counts drops of all keys of a tenant or of all tenants.
    var wideDrops: UInt32 = 0

    private func slot(of key: Key) -> Int { key.hashValue & (drops.count - 1) }

    func stamp(of key: Key) -> Stamp { Stamp(own: drops[slot(of: key)], wide: wideDrops) }

    mutating func drop(_ key: Key) {
      drops[slot(of: key)] &+= 1
      entries.remove(key)
    }
  }

  /// The counters of drops that concern a key: they change when its entry is dropped.
  private struct Stamp: Equatable {
    let own: UInt32
    let wide: UInt32
  }

  private let database: Database
  private let scripts: ScriptCache
  private let memory: Mutex<Memory>
  private let lease: AnswerLease

  /// - Parameters:
  ///   - scripts: the cache of scripts, which is emptied on the same news, since scripts contain a tenant's own texts.
  ///   - mostBytes: how many bytes the cache of entries may hold.
  init(database: Database, scripts: ScriptCache, lease duration: Duration, mostBytes: Int) {
    self.database = database
    self.scripts = scripts
    memory = Mutex(Memory(entries: BoundedCache(mostBytes: mostBytes)))
    lease = AnswerLease(database, for: duration)
  }

  /// An estimate of how many bytes the cache holds.
  var byteCount: Int { memory.withLock { $0.entries.byteCount } }

  /// A subject's entry, including every withdrawal that was acknowledged to its caller; throws `.leaseExpired` if the
  /// database cannot be asked.
  func entry(of subject: String, tenant: Tenant, within time: Duration) async throws -> Entry {
    let key = Key(tenant: tenant.id, subject: subject)
    for _ in 0..<Self.mostAttempts {
      if let known = memory.withLock({ $0.entries.value(for: key) }), lease.isHeld { return known }
      try await lease.hold(within: time)
      let (known, stamp) = memory.withLock { ($0.entries.value(for: key), $0.stamp(of: key)) }
      if known != nil { continue }
      let entry = try await read(subject, tenant, within: time)
      let isCurrent = memory.withLock { memory in
        guard memory.stamp(of: key) == stamp else { return false }
        if !entry.isOfSeveralNames {
          memory.entries.insert(entry, for: key, byteCount: entry.byteCount + subject.utf8.count)
        }
        return true
      }
      if isCurrent, lease.isHeld { return entry }
    }
    throw DatabaseError(
      .leaseExpired, "the subject's records changed, or the lease ran out, at each attempt to read them")
  }

  private static let mostAttempts = 16

  /// A subject's entry for an answer that is signed: read now, and verified.
  func provenEntry(of subject: String, tenant: Tenant, within time: Duration) async throws -> Entry {
    try await read(subject, tenant, within: time, isProof: true)
  }

  private func read(
    _ subject: String, _ tenant: Tenant, within time: Duration, isProof: Bool = false
  ) async throws -> Entry {
    // Nothing is stored under a text that cannot name a subject.
    guard let named = Subject(subject) else { return Entry(byStudy: [:], demands: []) }
    return try await database.scope(tenant).read(within: time) { snapshot in
      let names = try MergedAccounts.names(of: named.id, snapshot)
      let erased = try names.filter { name in try Subject(name).map { try snapshot.vault.isErased($0) } ?? false }
      let found = try RecordStore.heads(ofPerson: named.id, snapshot)
      if isProof { try RecordStore.verify(found, withLaterVersions: true, snapshot) }
      let records = found.map { record in
        var head = record
        (head.history, head.signatures) = ([], [])
        return head
      }
      return Entry(
        byStudy: Dictionary(grouping: records, by: \.studyID),
        demands: try DocumentStore.demands(on: records, snapshot), isErased: erased.count == names.count,
        erased: Set(erased), isOfSeveralNames: names.count > 1)
    }
  }

  /// Drops the entries of records that this process has changed, before the change is acknowledged.
  func forget(_ records: [ConsentRecord], of tenant: String) {
    forget(Set(records.map(\.subjectID)), of: tenant)
  }

  func forget(subject: String, of tenant: String) { forget([subject], of: tenant) }

  private func forget(_ subjects: Set<String>, of tenant: String) {
    guard !subjects.isEmpty else { return }
    memory.withLock { memory in
      for subject in subjects { memory.drop(Key(tenant: tenant, subject: subject)) }
    }
  }

  private func forgetAll(where isConcerned: (_ tenant: String) -> Bool) {
    scripts.forgetAll()
    memory.withLock { memory in
      memory.wideDrops &+= 1
      memory.entries.removeAll { isConcerned($0.tenant) }
    }
  }

  /// Follows the events of all tenants, from any process, until the task is cancelled.
  func follow() async { await lease.follow { [self] in take($0) } }

  private func take(_ news: AnswerLease.News) {
    switch news {
    case .all: forgetAll { _ in true }
    case .tenant(let tenant): forgetAll { $0 == tenant.id }
    case .events(let tenant, let events): take(events, of: tenant)
    }
  }

  private func take(_ events: [Event], of tenant: Tenant) {
    var subjects: Set<String> = []
    for event in events {
      // An event that cannot be decoded may concern anybody.
      guard let decoded = Result(catching: { try event.decode(.consent) }).success else {
        forgetAll { $0 == tenant.id }
        continue
      }
      guard let event = decoded else { continue }
      if event.kind == .textsChanged || event.kind == .translationAdded { scripts.forgetAll() }
      switch AnswerEffect.of(event).reach {
      case .none: break
      case .subject: subjects.insert(event.subjectID)
      case .tenant: forgetAll { $0 == tenant.id }
      }
    }
    forget(subjects, of: tenant.id)
  }
}

extension RecordHeads.Entry {
  /// An estimate of the entry's memory: its texts, and the fixed parts of its structures.
  fileprivate var byteCount: Int {
    let records = byStudy.values.joined()
    let texts = records.reduce(0) { $0 + ((try? $1.encoded().count) ?? 0) }
    return 256 + MemoryLayout<ConsentRecord>.stride * records.count + 2 * texts
      + MemoryLayout<ReconsentDemand>.stride * demands.count
  }
}

extension Result {
  fileprivate var success: Success? { try? get() }
}
