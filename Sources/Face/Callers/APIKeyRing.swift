package import Base
internal import Bus
package import RPC
internal import Synchronization

/// The API keys that are accepted now, from a file.
///
/// The file is checked when a key is presented, at most ten times a second. So a removed key is refused from then on,
/// and a gateway without calls does not wake up for it.
package final class APIKeyRing: CredentialVerifier {
  package enum News: Sendable {
    case reloaded(keys: Int)
    /// The former list stays in force.
    case reloadFailed(why: String)
  }

  private struct State {
    var keys: [String: APIKey] = [:]
    /// Keys by their whole text, once it has been shown, so that a key is hashed once and not for each call.
    var shown: [String: APIKey] = [:]
    var file: FollowedFile
    var lookedAt: MonotonicTime

    mutating func key(_ text: String) -> APIKey? {
      if let key = shown[text] { return key }
      // The time of this comparison reveals nothing, because an attacker cannot choose hashes.
      guard let key = APIKey.id(of: text).flatMap({ keys[$0] }), key.hash == APIKey.hash(of: text) else { return nil }
      shown[text] = key
      return key
    }
  }

  private let path: String
  private let clock: Clock
  private let report: @Sendable (News) -> Void
  private let state: Mutex<State>

  private static let interval = Duration.milliseconds(100)

  /// Reads the list at `path`. If there is no file yet, no key is accepted until there is one.
  package init(
    following path: String, clock: Clock = .system, report: @escaping @Sendable (News) -> Void = { _ in }
  ) throws(APIKeyListError) {
    self.path = path
    self.clock = clock
    self.report = report
    state = Mutex(State(file: FollowedFile(FileStatus(of: path)), lookedAt: clock.monotonic))
    replace(with: try APIKeyListFile.read(path))
  }

  package func replace(with list: APIKeyList) {
    state.withLock { state in
      state.keys = Dictionary(list.keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      state.shown = [:]
    }
  }

  /// Reads the file again if it has changed since the last check, or could not be read then.
  private func look() {
    let now = clock.monotonic
    let isDue = state.withLock { state in
      guard now - state.lookedAt >= Self.interval else { return false }
      state.lookedAt = now
      return true
    }
    guard isDue else { return }
    let status = FileStatus(of: path)
    guard state.withLock({ $0.file.isDue(status, at: now) }) else { return }
    do throws(APIKeyListError) {
      let list = try APIKeyListFile.read(path)
      state.withLock { $0.file.noteRead() }
      replace(with: list)
      report(.reloaded(keys: list.keys.count))
    } catch {
      guard state.withLock({ $0.file.noteFailure(error.description, at: now) }) else { return }
      report(.reloadFailed(why: error.description))
    }
  }

  // MARK: - Verification

  package func recognises(_ token: String) -> Bool { token.hasPrefix(APIKey.prefix) }

  package func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    look()
    guard let key = state.withLock({ $0.key(token) }) else {
      throw Status(.unauthenticated, rule: "credential_unknown", "the API key is not in the list")
    }
    if let expires = key.expires, now >= expires {
      throw Status(.unauthenticated, rule: "credential_expired", "the API key '\(key.name)' was good until its expiry")
    }
    return key.caller
  }
}
