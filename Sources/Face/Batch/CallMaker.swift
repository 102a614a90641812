package import Base
internal import Bus
package import RPC

/// Makes the calls that callers ask the gateway's own methods for, on behalf of the caller and with no more rights.
package struct CallMaker: Sendable {
  private let catalogue: Catalogue
  private let gatekeeper: Gatekeeper
  private let channel: any Channel
  private let clock: Clock
  private let pool: DoorPool
  private let downloads: Downloads?
  private let passes: BrowserPasses?

  /// - Parameters:
  ///   - channel: one that makes calls for the caller of the handled call, such as a gateway's own.
  ///   - downloads: nil where nobody could fetch a file.
  ///   - passes: nil where no browser could call.
  package init(
    _ channel: any Channel, _ catalogue: Catalogue, _ gatekeeper: Gatekeeper, downloads: Downloads?,
    passes: BrowserPasses? = nil, clock: Clock, pool: DoorPool = DoorPool()
  ) {
    self.catalogue = catalogue
    self.gatekeeper = gatekeeper
    self.channel = channel
    self.clock = clock
    self.downloads = downloads
    self.passes = passes
    self.pool = pool
  }

  /// The outcomes of several calls; throws when the batch is not well formed.
  package func batch(_ wishes: [BatchWish], for context: CallContext) async throws(Status) -> [BatchOutcome] {
    try await batch(wishes, for: context, try gatekeeper.tickets.redeem(context.metadata))
  }

  private func batch(
    _ wishes: [BatchWish], for context: CallContext, _ admitted: AdmissionTickets.Admitted?
  ) async throws(Status) -> [BatchOutcome] {
    let holder =
      admitted.map { $0.caller.holder(at: $0.address) } ?? "\(context.identity.tenant)/\(context.identity.subject)"
    let plan = try await plan(wishes, for: holder)
    let run = BatchRun(
      channel, pool: pool, for: holder, clock: clock, deadline: context.deadline, key: context.idempotencyKey
    ) { [gatekeeper, identity = context.identity] method throws(Status) in
      // The router applies the limits of a caller who uses the bus's own door.
      if let admitted {
        _ = try gatekeeper.count(admitted.caller, from: admitted.address)
        try gatekeeper.check(admitted.caller, for: method)
      }
      // The router refuses such a call too, but only after what it refers to was looked up.
      if !identity.isDeniedByService(of: method), let denial = identity.denial(of: method) { throw denial }
    }
    return await run.outcomes(of: plan)
  }

  private func plan(_ wishes: [BatchWish], for holder: String) async throws(Status) -> BatchPlan {
    let asked = BatchPlan.asked(in: wishes)
    guard asked > BatchRun.shortCount, asked <= BatchPlan.mostAsked else {
      return try BatchPlan(wishes, of: catalogue)
    }
    return try await pool.run(for: holder) { [catalogue] () throws(Status) in try BatchPlan(wishes, of: catalogue) }
  }

  /// The address at which the caller of the handled call can fetch a file.
  package func download(
    _ wish: Downloads.Wish, for context: CallContext
  ) throws(Status) -> (path: String, expiry: Instant) {
    let admitted = try gatekeeper.tickets.redeem(context.metadata)
    guard let downloads else {
      throw Status(.unimplemented, rule: "no_http", "this gateway speaks no HTTP, by which a file could be fetched")
    }
    return try downloads.address(of: wish, for: context.identity, admitted)
  }

  /// A token with which pages of an origin act in a session that the caller of the handled call may resume. The session
  /// is taken over for them.
  package func browserToken(
    for session: String, _ origin: String, lifetime: Duration, _ context: CallContext
  ) async throws(Status) -> (text: String, expiry: Instant) {
    guard let passes else { throw Self.noBrowsers }
    let browser = "browser:\(Hex.encode(Randomness.system.bytes(16)))"
    let request = "{\"sessionId\":\(JSONText.quoted(session)),\"deviceId\":\(JSONText.quoted(browser))}"
    let wish = BatchWish(method: "assent.consent.v1.SessionService/ResumeSession", request: request)
    if case .failed(let status)? = try await batch([wish], for: context).first { throw status }
    return passes.token(of: browser, in: session, of: context.identity.tenant, for: origin, lifetime: lifetime)
  }

  /// The link of a field that the caller of the handled call may draw in: behind it, another device may.
  package func fieldLink(
    of field: String, _ context: CallContext
  ) async throws(Status) -> (token: String, expiry: Instant) {
    guard let passes else { throw Self.noBrowsers }
    let admitted = try gatekeeper.tickets.redeem(context.metadata)
    let loan = FieldLoan(of: field, in: context.identity.tenant, at: clock.now)
    try await lend(loan, for: context, admitted)
    return (passes.token(for: loan), loan.expiry)
  }

  /// The token of a device that opens a field's link, which is the caller of the handled call. Whoever had come by the
  /// link before can draw no more.
  package func openedFieldLink(
    _ context: CallContext
  ) async throws(Status) -> (token: String, field: String, expiry: Instant) {
    guard let passes else { throw Self.noBrowsers }
    let admitted = try gatekeeper.tickets.redeem(context.metadata)
    guard let token = admitted?.caller.credential?.token, let loan = passes.loan(in: token)?.opened() else {
      throw Status(.unauthenticated, rule: "credential_missing", "show the field's link as the bearer token")
    }
    try await lend(loan, for: context, admitted)
    return (passes.token(for: loan), loan.field, loan.expiry)
  }

  /// Has a field lent, as the caller of the handled call. The name of the device is new each time, and so is the key.
  private func lend(
    _ loan: FieldLoan, for context: CallContext, _ admitted: AdmissionTickets.Admitted?
  ) async throws(Status) {
    let request = "{\"fieldId\":\(JSONText.quoted(loan.field)),\"device\":\(JSONText.quoted(loan.device))}"
    let wish = BatchWish(
      method: "assent.signature.v1.SignatureService/LendField", request: request, idempotencyKey: loan.device)
    if case .failed(let status)? = try await batch([wish], for: context, admitted).first { throw status }
  }

  private static let noBrowsers = Status(
    .unimplemented, rule: "no_http", "this gateway speaks no HTTP, by which a browser could call")
}
