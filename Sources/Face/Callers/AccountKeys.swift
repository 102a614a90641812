package import Base
package import RPC
internal import Synchronization
internal import Tokens

/// The API keys that AccountService keeps, as a door's credentials.
///
/// `replace` gets them from AccountService's stream of revocations. While that stream does not show, recently enough,
/// which keys are revoked, calls with a key are answered UNAVAILABLE.
package final class AccountKeys: CredentialVerifier {
  /// A key, with the hash of its present secret.
  package struct Entry: Hashable, Sendable {
    package var key: APIKey
    /// The hash of the secret before the last rotation, which is good until `overlapEnd`.
    package var previousHash: Digest?
    package var overlapEnd: Instant?

    package init(key: APIKey, previousHash: Digest? = nil, overlapEnd: Instant? = nil) {
      self.key = key
      self.previousHash = previousHash
      self.overlapEnd = overlapEnd
    }
  }

  /// When a key was last used here.
  package struct Use: Hashable, Sendable {
    package let tenant: String
    package let id: String
    package let time: Instant
  }

  private struct State {
    var sets: [String: [Entry]] = [:]
    /// Keys by the hash of every secret of theirs that may be good: the present one and the one before the last
    /// rotation.
    var entries: [Digest: Entry] = [:]
    /// The hashes of the keys that have been shown, by their text, so that a key is hashed once and not for each call.
    var shown: [String: Digest] = [:]
    var uses: [String: Use] = [:]

    mutating func index() {
      (entries, shown) = ([:], [:])
      for entry in sets.values.joined() {
        entries[entry.key.hash] = entry
        if let previous = entry.previousHash { entries[previous] = entry }
      }
    }

    /// The key with this text, and the text's hash.
    mutating func entry(_ text: String) -> (Entry, hash: Digest)? {
      let known = shown[text]
      let hash = known ?? APIKey.hash(of: text)
      // The time that a lookup takes reveals nothing, because an attacker cannot choose hashes.
      guard let entry = entries[hash] else { return nil }
      if known == nil { shown[text] = hash }
      return (entry, hash)
    }
  }

  private let state = Mutex(State())
  private let news: RevocationNews

  package init(_ news: RevocationNews) {
    self.news = news
  }

  // MARK: What AccountService says

  /// Replaces the keys of a tenant.
  package func replace(_ entries: [Entry], of tenant: String) {
    state.withLock { state in
      state.sets[tenant] = entries.isEmpty ? nil : entries
      state.index()
    }
  }

  /// Forgets the keys of all tenants but these.
  package func keep(only tenants: Set<String>) {
    state.withLock { state in
      state.sets = state.sets.filter { tenants.contains($0.key) }
      state.index()
    }
  }

  /// The last use of each key since this was last called.
  package func takeUses() -> [Use] {
    state.withLock { state in
      defer { state.uses = [:] }
      return Array(state.uses.values)
    }
  }

  // MARK: Verification

  package func recognises(_ token: String) -> Bool { APIKey.isKeptByAccounts(token) }

  package var followsNews: Bool { true }

  package func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    guard news.noteUse() else {
      let message = "the gateway does not know at present which API keys were revoked; try again"
      throw Status(.unavailable, rule: TokenFault.unsure.rawValue, message)
    }
    guard let (entry, hash) = state.withLock({ $0.entry(token) }) else {
      throw Status(.unauthenticated, rule: "credential_unknown", "there is no such API key, or it was revoked")
    }
    if let expires = entry.key.expires, now >= expires {
      throw Status(
        .unauthenticated, rule: "credential_expired", "the API key '\(entry.key.name)' was good until its expiry")
    }
    guard hash == entry.key.hash || entry.overlapEnd.map({ now < $0 }) == true else {
      let message = "the API key '\(entry.key.name)' was replaced by another one, and its overlap is over"
      throw Status(.unauthenticated, rule: "credential_expired", message)
    }
    let use = Use(tenant: entry.key.tenant, id: entry.key.id, time: now)
    state.withLock { $0.uses[use.id] = use }
    return entry.key.caller
  }

  package func objection(to caller: VerifiedCaller, at now: Instant) -> Status? {
    // While it is unknown which keys are revoked, only new calls are refused; open ones go on.
    guard news.noteUse(), let token = caller.credential?.token else { return nil }
    do throws(Status) {
      return try verify(token, at: now).objection(to: caller)
    } catch {
      return error.code == .unavailable ? nil : error
    }
  }
}
