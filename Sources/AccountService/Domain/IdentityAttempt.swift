internal import Base

/// A sign-in at an OpenID provider that a page has begun, and that is finished when the browser is back.
struct IdentityAttempt: Hashable, Sendable {
  let tenant: String
  /// The device that began it, and that alone may finish it.
  let device: String
  let issuer: String
  /// To which the provider sends the browser back.
  let page: String
  /// The session that it will begin: since there is one of a name, an attempt is finished once.
  let session: String
  let begunAt: Instant

  /// For how long it may be finished.
  static let lasts = Duration.seconds(600)
}

/// Writes attempts down and reads them again. Nothing of an attempt is stored here: the page keeps its text, with a
/// code that nobody else can make. What the provider is told of it follows from the text and a key, so that a page, and
/// whoever reads what it keeps, does not have the verifier of its code.
struct IdentityAttempts: Sendable {
  private let key: [UInt8]
  private static let longest = 2_000

  /// - Parameter key: known to AccountService only; processes that share one finish each other's attempts.
  init(key: [UInt8]) {
    self.key = key
  }

  func text(of attempt: IdentityAttempt) -> String {
    let content = Self.content(of: attempt)
    return "i1.\(Base64URL.encode(content)).\(value("attempt", of: content))"
  }

  /// nil for a text that was not made here.
  func attempt(in text: String) -> IdentityAttempt? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.longest, parts.count == 3, parts[0] == "i1", let content = Base64URL.decode(parts[1]),
      isSame(Array(parts[2].utf8), Array(value("attempt", of: content).utf8))
    else { return nil }
    let fields = String(decoding: content, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    guard fields.count == 6, let begun = Int64(fields[5]) else { return nil }
    return IdentityAttempt(
      tenant: fields[0], device: fields[1], issuer: fields[2], page: fields[3], session: fields[4],
      begunAt: Instant(millisecondsSince1970: begun))
  }

  /// What comes back with the browser.
  func state(of attempt: IdentityAttempt) -> String { value("state", of: Self.content(of: attempt)) }

  /// What the ID token has to repeat.
  func nonce(of attempt: IdentityAttempt) -> String { value("nonce", of: Self.content(of: attempt)) }

  /// What proves to the provider that whoever exchanges the code is who asked for it (RFC 7636).
  func verifier(of attempt: IdentityAttempt) -> String { value("verifier", of: Self.content(of: attempt)) }

  func challenge(of attempt: IdentityAttempt) -> String {
    Base64URL.encode(Digest(of: Array(verifier(of: attempt).utf8)).bytes)
  }

  private func value(_ use: String, of content: [UInt8]) -> String {
    Base64URL.encode(MessageCode.make(Array("\(use)\n".utf8) + content, key: key))
  }

  private static func content(of attempt: IdentityAttempt) -> [UInt8] {
    let fields = [
      attempt.tenant, attempt.device, attempt.issuer, attempt.page, attempt.session,
      String(attempt.begunAt.millisecondsSince1970),
    ]
    return Array(fields.joined(separator: "\n").utf8)
  }
}
