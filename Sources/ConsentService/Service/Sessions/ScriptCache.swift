internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Synchronization

/// Scripts of published versions, which change with a tenant's own words and with translations added later alone: made
/// once, used by every session on them.
///
/// A session of a test participant may walk drafts, which do change: those are made anew.
final class ScriptCache: Sendable {
  private struct Key: Hashable {
    let tenant: Tenant
    let flowID: String
    let flowVersion: Int32
    let documents: [FlowDocument]
    let locale: String
    let birthDateGiven: Bool
  }

  private struct Entry {
    let script: FlowScript
    /// Why no session may begin on it.
    let misfit: Refusal?
  }

  private struct Memory {
    var entries: [Key: Entry] = [:]
    /// Counts what was dropped: a script made before a drop and kept after it would hold old words for ever.
    var drops = 0
  }

  private static let most = 256
  private let memory = Mutex(Memory())

  func script(for session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    guard !session.isTest else { return try ScriptLoader.script(for: session, snapshot) }
    return try entry(for: session, snapshot).script
  }

  /// The script of a session that is about to begin. A published flow may have been overtaken by versions of its
  /// documents that it was never checked against: one with new questions, say, that it does not ask. Nobody begins
  /// what cannot be ended well.
  func script(forNew session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    guard !session.isTest else { return try ScriptLoader.script(for: session, snapshot) }
    let entry = try entry(for: session, snapshot)
    if let misfit = entry.misfit { throw misfit }
    return entry.script
  }

  private func entry(for session: StoredSession, _ snapshot: Snapshot) throws -> Entry {
    let key = Key(
      tenant: snapshot.tenant, flowID: session.flowID, flowVersion: session.flowVersion, documents: session.documents,
      locale: session.locale, birthDateGiven: session.state.birthDateGiven)
    let (known, drops) = memory.withLock { ($0.entries[key], $0.drops) }
    if let known { return known }
    let script = try ScriptLoader.script(for: session, snapshot)
    let entry = Entry(script: script, misfit: FlowValidation.misfit(of: script))
    memory.withLock { memory in
      guard memory.drops == drops else { return }
      if memory.entries.count >= Self.most { memory.entries.removeAll() }
      memory.entries[key] = entry
    }
    return entry
  }

  /// A tenant's own words were changed or a translation was added, here or by another process: they are part of
  /// scripts.
  func forgetAll() {
    memory.withLock { memory in
      memory.entries.removeAll()
      memory.drops += 1
    }
  }
}
