internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Synchronization
internal import Wire

/// A cache of the scripts of published versions: each is made once and used by every session on it. The script for a
/// new session changes with a tenant's own texts and with translations that are added later, so it is found by both; a
/// session that has begun keeps its texts.
///
/// A session of a test participant may walk drafts, which do change: their scripts are not cached.
final class ScriptCache: Sendable {
  private struct Key: Hashable {
    let tenant: Tenant
    let flowID: String
    let flowVersion: Int32
    let documents: [MessageKey<FlowDocument>]
    let locale: String
    let texts: Texts
    let siteID: String
    let birthDateGiven: Bool
  }

  /// Which texts a session shows.
  private enum Texts: Hashable {
    /// Those that it has begun with.
    case kept(MessageKey<SessionTexts>)
    /// Those that there are now: the number of the tenant's own, and in how many languages each document is.
    case newest(Int64, languages: [Int64])
  }

  private struct Entry {
    let script: FlowScript
    /// Why no session may begin on it.
    let misfit: Refusal?
  }

  private let entries = Mutex(BoundedCache<Key, Entry>(mostBytes: 64 << 20))

  func script(for session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    guard session.isTest else { return try filled(entry(for: session, snapshot).script, session, snapshot) }
    let script: FlowScript
    do {
      script = try filled(ScriptLoader.script(for: session, snapshot), session, snapshot)
    } catch let refusal as Refusal {
      throw Self.draftChanged(session, refusal.message)
    }
    guard script.has(session.state.position ?? FlowPosition()) else {
      throw Self.draftChanged(session, "it has the session's page no longer")
    }
    return script
  }

  /// The refusal to go on with a test session whose draft has changed too much.
  private static func draftChanged(_ session: StoredSession, _ reason: String) -> Refusal {
    let message = "session '\(session.id)' walks a draft that was changed meanwhile: \(reason); start another one"
    return Refusal(.precondition, "draft_changed", field: "session_id", message)
  }

  /// The script of a session that is to be ended; nil when it walks drafts of which none can be made any more: they no
  /// longer have its page or its language, or were discarded.
  func script(toEnd session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript? {
    do {
      return try script(for: session, snapshot)
    } catch is Refusal where session.isTest {
      return nil
    }
  }

  /// The script of a session that is about to begin. New versions of the documents may no longer fit a published flow,
  /// for example with new questions that it does not ask. A session that could not end well is not begun.
  func script(forNew session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    guard !session.isTest else { return try filled(ScriptLoader.script(for: session, snapshot), session, snapshot) }
    let entry = try entry(for: session, snapshot)
    if let misfit = entry.misfit { throw misfit }
    return try filled(entry.script, session, snapshot)
  }

  /// A script with the session's own words in it; the cache keeps it without them.
  private func filled(_ script: FlowScript, _ session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    guard !script.placeholders.isEmpty else { return script }
    return try script.filled(PlaceholderValues.values(for: session, script.placeholders, script.locale, snapshot))
  }

  private func entry(for session: StoredSession, _ snapshot: Snapshot) throws -> Entry {
    let texts: Texts =
      if let kept = session.state.texts {
        .kept(MessageKey(SessionTexts(textsVersion: kept.textsVersion, documents: kept.documents)))
      } else {
        .newest(
          try TextsStore.currentVersion(snapshot),
          languages: try session.documents.map { try DocumentStore.languages(of: $0, snapshot) })
      }
    let key = Key(
      tenant: snapshot.tenant, flowID: session.flowID, flowVersion: session.flowVersion,
      documents: session.documents.map { MessageKey($0) },
      locale: session.locale, texts: texts, siteID: session.siteID, birthDateGiven: session.state.birthDateGiven)
    if let known = entries.withLock({ $0.value(for: key) }) { return known }
    let script = try ScriptLoader.script(for: session, snapshot)
    let entry = Entry(script: script, misfit: FlowValidation.misfit(of: script))
    let byteCount = try Self.byteCount(of: script)
    entries.withLock { $0.insert(entry, for: key, byteCount: byteCount) }
    return entry
  }

  /// An estimate of a script's memory. It holds its texts several times: as written, as steps, and as the document that
  /// is reviewed.
  private static func byteCount(of script: FlowScript) throws -> Int {
    let texts = try script.documents.values.reduce(try script.definition.encoded().count) { sum, document in
      try sum + document.settings.encoded().count + document.text.encoded().count
    }
    return 16_384 + 4 * texts
  }
}
