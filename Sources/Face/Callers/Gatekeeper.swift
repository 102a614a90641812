package import Base
internal import Bus
package import RPC
internal import Synchronization

/// Decides who is let in at every door except the bus's own: whose credential is good, for which methods, and how
/// often.
///
/// Whether one of the caller's roles is admitted to the method the router decides for every call, whichever door it
/// comes by; services check what only they know, the place and the relation.
package final class Gatekeeper: Sendable {
  /// How often callers may call.
  package struct Rates: Sendable {
    /// Calls in a second with one credential; 0: any number.
    package var perCredential = 0
    /// Calls in a second from one address without a credential, or with a wrong one; 0: any number.
    package var perAddress = 0

    package init(perCredential: Int = 0, perAddress: Int = 0) {
      self.perCredential = perCredential
      self.perAddress = perAddress
    }
  }

  /// An admitted caller, and how many calls it has left.
  package struct Admission: Sendable {
    package var caller: VerifiedCaller
    package var quota: RateLimiter.Quota?

    package init(caller: VerifiedCaller, quota: RateLimiter.Quota?) {
      self.caller = caller
      self.quota = quota
    }
  }

  private struct Limits {
    var credentials: RateLimiter
    var addresses: RateLimiter
    /// Links that addresses open.
    var links = TokenBuckets(BrowserPasses.openingRate, mostHolders: 100_000)
  }

  private let verifiers: [any CredentialVerifier]
  private let clock: Clock
  private let limits: Mutex<Limits>
  private let closed: ClosedCallers
  /// Says whether it is known what was revoked, and lets doors wait for it.
  package let news: RevocationNews
  /// What doors have learnt about the callers of methods that this gateway serves itself.
  package let tickets: AdmissionTickets
  /// The calls that are open at all doors.
  package let openCalls: OpenCalls

  package init(
    _ verifiers: [any CredentialVerifier], news: RevocationNews = RevocationNews(),
    closed: ClosedCallers = ClosedCallers(), rates: Rates = Rates(), openCalls: OpenCalls = OpenCalls(),
    clock: Clock = .system
  ) {
    self.verifiers = verifiers
    self.news = news
    self.closed = closed
    self.clock = clock
    self.openCalls = openCalls
    tickets = AdmissionTickets(clock: clock)
    limits = Mutex(
      Limits(
        credentials: RateLimiter(rate: rates.perCredential), addresses: RateLimiter(rate: rates.perAddress)))
  }

  /// Whether a call with this credential should wait a moment before it is admitted, because news of what was revoked
  /// is on its way. Asks for that news. Once `news` is no longer under way, a door admits or refuses without it.
  package func mustWait(for credential: () -> PresentedCredential?) -> Bool {
    // Checked first, because calls hardly ever have to wait.
    guard news.wouldWait, let token = credential()?.token,
      verifiers.first(where: { $0.recognises(token) })?.followsNews == true
    else { return false }
    news.noteUse()
    return news.isUnderWay
  }

  /// The caller of a method, counted against its limits. Throws when its credential is not good for the method, or not
  /// now.
  ///
  /// A call is counted before it is refused, so that attempts at what a caller may not do are limited too.
  ///
  /// - Parameters:
  ///   - credential: nil when the caller presents none. A wrong one is refused even by public methods, because its
  ///     holder expects to be recognised.
  ///   - address: where the call comes from; calls without a credential are counted by it.
  package func admit(
    _ credential: PresentedCredential?, from address: String, to method: MethodDescriptor
  ) throws(Status) -> Admission {
    let caller: VerifiedCaller
    do throws(Status) {
      caller = try holder(of: credential)
    } catch {
      // Guesses of keys are counted by address, like calls without a credential.
      if error.code == .unauthenticated {
        _ = try count(VerifiedCaller(identity: .stranger, account: ""), from: address)
      }
      throw error
    }
    let quota = try count(caller, from: address)
    if Self.linkMethods.contains(method.path) { try countLink(from: address) }
    if let objection = closed.objection(to: caller.identity) { throw objection }
    try check(caller, for: method)
    return Admission(caller: caller, quota: quota)
  }

  /// Counts one call of a caller. Throws when there have been too many.
  package func count(_ caller: VerifiedCaller, from address: String) throws(Status) -> RateLimiter.Quota? {
    let now = clock.elapsed
    let quota = limits.withLock { limits in
      caller.account.isEmpty
        ? limits.addresses.take(CountedAddress.of(address), at: now) : limits.credentials.take(caller.account, at: now)
    }
    guard let quota, let wait = quota.wait else { return quota }
    let milliseconds = max(1, wait.wholeMilliseconds)
    throw Status(
      .resourceExhausted,
      rule: "too_many_calls",
      "\(caller.account.isEmpty ? "this address" : "this key") may call \(quota.limit) times a second",
      metadata: ["retry-after-ms": String(milliseconds)])
  }

  /// The methods by which a browser without a credential shows the code of a link.
  private static let linkMethods: Set = [
    BrowserPasses.opening, "/assent.account.v1.DeviceService/RegisterBrowser",
  ]

  /// Counts a link that is opened, so that nobody finds one by guessing.
  private func countLink(from address: String) throws(Status) {
    let now = clock.elapsed
    let isAdmitted = limits.withLock { $0.links.take(CountedAddress.of(address), at: now).isAdmitted }
    guard !isAdmitted else { return }
    throw Status(
      .resourceExhausted, rule: "too_many_links", "this address may open one link, or show one code, a second",
      metadata: ["retry-after-ms": "1000"])
  }

  /// Throws when a method needs a credential and the caller has none, or one that is not for the method.
  package func check(_ caller: VerifiedCaller, for method: MethodDescriptor) throws(Status) {
    guard caller.identity.kind != .stranger || method.roles.contains(.public) else {
      throw Status(
        .unauthenticated, rule: "credential_missing", "\(method.path) needs a key; send Authorization: Bearer with one")
    }
    guard caller.scopes.isEmpty || caller.scopes.contains(where: { method.isInside(scope: $0) }) else {
      throw Status(.permissionDenied, rule: "out_of_scope", "the key is not for \(method.path)")
    }
  }

  /// How often doors ask for objections to open calls, so that a right that is taken away ends them within a second.
  package static let objectionInterval = Duration.milliseconds(500)

  /// Why an open call may not go on: its key was removed or has other rights, its token was revoked, its tenant was
  /// disabled or its device wiped. nil when it may.
  package func objection(to caller: VerifiedCaller) -> Status? {
    if let objection = closed.objection(to: caller.identity) { return objection }
    guard let credential = caller.credential else { return nil }
    return verifiers.first { $0.recognises(credential.token) }?.objection(to: caller, at: clock.now)
  }

  /// The caller whom this credential names, also one whose tenant or device is closed.
  private func holder(of credential: PresentedCredential?) throws(Status) -> VerifiedCaller {
    guard let credential else { return VerifiedCaller(identity: .stranger, account: "") }
    guard let verifier = verifiers.first(where: { $0.recognises(credential.token) }) else {
      throw Status(.unauthenticated, rule: "credential_unknown", "the token has no form that this gateway knows")
    }
    var caller = try verifier.verify(credential.token, at: clock.now)
    if let objection = caller.objection(to: credential) { throw objection }
    caller.credential = credential
    return caller
  }
}

extension MethodDescriptor {
  /// Whether a scope, `package.Service/Method` or `package.Service/*`, covers the method.
  fileprivate func isInside(scope: String) -> Bool {
    path.dropFirst() == scope || scope.hasSuffix("/*") && scope.dropLast(2) == service
  }
}
