import AccountContract
import AccountService
import Base
import OpenID
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// The authorization code flow of the gateway's pages, with a real provider in another language, which misbehaves.
@Suite("Signing in at a provider", .serialized, .timeLimit(.minutes(4))) struct ProviderSignInTests {
  /// A world whose tenant trusts a provider, and has a tablet.
  private struct Clinic {
    let world: AccountWorld
    let provider: OpenIDProvider
    let time = SteppedClock()

    static let page = "http://127.0.0.1:8080/app"

    init(_ engine: TestEngine = .sqlite, hasSecret: Bool = true, patience: Duration = .seconds(30)) async throws {
      provider = try await OpenIDProvider()
      let issuers = IssuerSource(provider.policy, clock: time.clock, patience: patience)
      world = try await AccountWorld(engine, issuers: issuers)
      try await provider.behave("{\"now\":\(AccountWorld.start.millisecondsSince1970 / 1000)}")
      try await trust()
      if hasSecret { try await setSecret(OpenIDProvider.secret) }
      try await world.register("tablet")
    }

    func trust(_ change: (inout IdentityIssuer) -> Void = { _ in }) async throws {
      var issuer = IdentityIssuer(
        issuer: provider.address, keys: .jwksURL("\(provider.address)/keys"), subjectPrefix: "clinic:",
        createsPeople: true, rolesClaim: "groups", roles: [IdentityRole(value: "doctors", role: "investigator@heart")],
        title: "Northside Clinic", client: IdentityClient(clientID: OpenIDProvider.clientID))
      change(&issuer)
      try await world.allowSelfRegistration { $0.identityIssuers = [issuer] }
    }

    func setSecret(_ secret: String) async throws {
      _ = try await world.admin.admin.setIdentitySecret(
        SetIdentitySecretRequest(issuer: provider.address, clientSecret: secret))
    }

    func start(page: String = Self.page, issuer: String? = nil) async throws -> StartIdentitySignInResponse {
      try await world.device("tablet").signIn.startIdentitySignIn(
        StartIdentitySignInRequest(issuer: issuer ?? provider.address, page: page))
    }

    /// The request with which a page finishes what it has begun, after somebody has signed in at the provider.
    func back(as person: String = "ada") async throws -> FinishIdentitySignInRequest {
      let begun = try await start()
      let brought = try await provider.signIn(at: begun.address, as: person)
      return FinishIdentitySignInRequest(
        attempt: begun.attempt, state: brought["state"] ?? "", code: brought["code"] ?? "",
        issuer: brought["iss"] ?? "")
    }

    @discardableResult
    func finish(
      _ request: FinishIdentitySignInRequest, device: String = "tablet"
    ) async throws -> FinishIdentitySignInResponse {
      try await world.device(device).signIn.finishIdentitySignIn(request)
    }

    func end() async {
      await provider.end()
      await world.end()
    }
  }

  @Test(
    "a page leads to the provider and back, and the person is signed in as by an app", arguments: TestEngine.allCases)
  func signsIn(engine: TestEngine) async throws {
    let clinic = try await Clinic(engine)
    try await clinic.provider.behave(#"{"claims":{"groups":["doctors"]}}"#)
    let begun = try await clinic.start()
    let brought = try await clinic.provider.signIn(at: begun.address)
    #expect(brought["state"] == begun.state)
    let request = FinishIdentitySignInRequest(
      attempt: begun.attempt, state: begun.state, code: brought["code"] ?? "", issuer: brought["iss"] ?? "")
    let answer = try await clinic.finish(request)
    let identity = try clinic.world.identity(of: answer.tokens?.accessToken ?? "")
    #expect(identity.subject == "clinic:ada" && identity.device == "tablet")
    #expect(identity.grants == ["investigator@heart"] && !answer.uploadGrant.isEmpty)
    #expect(answer.tokens?.refreshToken == "" && answer.tokens?.refreshExpiresAt == nil)
    let signedIn = try #require(try await clinic.world.events().last { $0.kind == .signedIn })
    #expect(signedIn.note == "by \(clinic.provider.address), investigator@heart")
    #expect(try await clinic.world.list().current?.profile?.title == "Ada of the Clinic")
    // What the provider was asked.
    let seen = try await clinic.provider.seen()
    let question = seen["question"]
    for (name, value) in [
      ("response_type", "code"), ("client_id", OpenIDProvider.clientID), ("redirect_uri", Clinic.page),
      ("scope", "openid profile"), ("code_challenge_method", "S256"), ("prompt", "login"), ("max_age", "0"),
    ] { #expect(question[name].text == value, "\(name)") }
    let verifier = seen["exchanges"].list[0]["code_verifier"].text ?? ""
    let nonce = question["nonce"].text ?? ""
    #expect(question["code_challenge"].text == Base64URL.encode(Digest(of: Array(verifier.utf8)).bytes))
    #expect(Set([verifier, nonce, begun.state]).count == 3 && verifier.utf8.count == 43)
    // The page was told neither of them.
    let content = begun.attempt.split(separator: ".").compactMap { Base64URL.decode($0) }.flatMap(\.self)
    #expect(!begun.attempt.contains(verifier) && !String(decoding: content, as: UTF8.self).contains(verifier))
    // It is finished once, whatever the provider says: it is not asked again.
    await expectRefusal(.unauthenticated, "attempt_used_up") { try await clinic.finish(request) }
    #expect(try await clinic.provider.seen()["exchanges"].list.count == 1)
    await clinic.end()
  }

  @Test("what comes back to another browser, too late, altered or of another provider signs nobody in")
  func bound() async throws {
    let clinic = try await Clinic()
    try await clinic.world.register("phone")
    let good = try await clinic.back()
    func refused(
      _ rule: String, _ change: (inout FinishIdentitySignInRequest) -> Void = { _ in }, device: String = "tablet"
    ) async {
      var request = good
      change(&request)
      await expectRefusal(.unauthenticated, rule) { try await clinic.finish(request, device: device) }
    }
    await refused("unknown_attempt", { $0.state = "another" })
    await refused("unknown_attempt", { $0.state = "" })
    await refused("unknown_attempt", device: "phone")
    for changed in ["", "i1", "i1.a.b", String(good.attempt.dropLast()) + "_", "i1." + good.attempt.dropFirst(5)] {
      await refused("unknown_attempt", { $0.attempt = changed })
    }
    await refused("other_issuer", { $0.issuer = "https://id.other.example" })
    await refused("other_issuer", { $0.issuer = "" })
    await expectRefusal(.invalidArgument, "missing") {
      var request = good
      request.code = ""
      return try await clinic.finish(request)
    }
    // None of these has asked the provider, so the sign-in can still be finished by its own browser.
    #expect(try await clinic.provider.seen()["exchanges"].list.isEmpty)
    // The code of another sign-in, which the provider made for another verifier; and one that was used.
    let other = try await clinic.back()
    await refused("code_refused", { $0.code = other.code })
    try await clinic.finish(good)
    let third = try await clinic.back()
    await expectRefusal(.unauthenticated, "code_refused") {
      var request = third
      request.code = good.code
      return try await clinic.finish(request)
    }
    // Nor does another tenant's, or a person's, call finish it.
    await expectRefusal(.unauthenticated, "unknown_attempt") {
      try await clinic.world.device("tablet", tenant: "t2").signIn.finishIdentitySignIn(third)
    }
    clinic.world.clock.move(by: .seconds(601))
    await expectRefusal(.unauthenticated, "unknown_attempt") { try await clinic.finish(third) }
    await clinic.end()
  }

  @Test("a provider that answers wrongly, slowly, endlessly or not at all signs nobody in, and is named as the reason")
  func misbehaves() async throws {
    let clinic = try await Clinic(patience: .seconds(5))
    let second = AccountWorld.start.millisecondsSince1970 / 1000
    for (behaviour, code, rule) in [
      (#"{"claims":{"nonce":"another"}}"#, .unauthenticated, "id_token_nonce"),
      (#"{"claims":{"nonce":null}}"#, .unauthenticated, "id_token_nonce"),
      (#"{"claims":{"aud":"another-app"}}"#, .unauthenticated, "id_token_audience"),
      (#"{"claims":{"aud":["assent-pages","another-app"]}}"#, .unauthenticated, "id_token_audience"),
      (#"{"claims":{"iss":"https://id.other.example"}}"#, .unauthenticated, "id_token_issuer"),
      ("{\"claims\":{\"exp\":\(second)}}", .unauthenticated, "id_token_expired"),
      ("{\"claims\":{\"auth_time\":\(second - 3600)}}", .unauthenticated, "id_token_not_fresh"),
      (#"{"claims":{"sub":"ada|lovelace"}}"#, .unauthenticated, "id_token_claims"),
      (#"{"claims":{},"key":"next"}"#, .unauthenticated, "id_token_key_unknown"),
      (#"{"key":"rsa","status":401,"body":"{\"error\":\"invalid_client\"}"}"#, .failedPrecondition, "client_refused"),
      (#"{"status":400,"body":"{\"error\":\"<b>\"}"}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"status":200,"body":"{\"id_token\":7}"}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"status":200,"body":"<html>"}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"status":302,"body":""}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"status":503,"body":""}"#, .failedPrecondition, "issuer_unreachable"),
      (#"{"status":0,"padding":300000}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"padding":0,"delay":30}"#, .failedPrecondition, "issuer_unreachable"),
    ] as [(String, StatusCode, String)] {
      try await clinic.provider.behave(behaviour)
      let request = try await clinic.back()
      await expectRefusal(code, rule) { try await clinic.finish(request) }
    }
    #expect(try await clinic.world.events().allSatisfy { $0.kind != .signedIn && $0.kind != .personAdded })
    // It changes its keys, and is well again.
    try await clinic.provider.behave(#"{"delay":0,"key":"next","published":["next"]}"#)
    clinic.time.advance(by: IssuerSource.pause)
    try await clinic.finish(try await clinic.back())
    await clinic.end()
  }

  @Test("no browser is led to what a provider does not say of itself, nor back to another page")
  func led() async throws {
    let clinic = try await Clinic(hasSecret: false)
    await expectRefusal(.failedPrecondition, "client_secret_missing") { try await clinic.start() }
    try await clinic.setSecret(OpenIDProvider.secret)
    for page in [
      "", "/app", "https://evil.example", "https://evil.example/", "https://a.example/app/",
      "https://a.example/app?x=1",
      "https://a.example/c", "https://a.example/app#x", "http://a.example/app", "http://127.0.0.1.evil.example/app",
      "https://me@a.example/app", "https://a.example/x/app", "javascript:/app", "https:///app",
      "https://a.example\\/app",
      "https://a.example/%61pp",
    ] { await expectRefusal(.invalidArgument, "bad_page") { try await clinic.start(page: page) } }
    for page in ["https://assent.example/app", "https://a.example:8443/console", "http://[::1]:8080/app"] {
      _ = try await clinic.start(page: page)
    }
    await expectRefusal(.notFound, "unknown_identity_issuer") { try await clinic.start(issuer: "https://b.example") }
    for (behaviour, code, rule) in [
      (#"{"metadata":{"issuer":"https://id.other.example"}}"#, .failedPrecondition, "issuer_unusable"),
      (#"{"metadata":{"authorization_endpoint":"javascript:alert(1)"}}"#, .unavailable, "issuer_unreachable"),
      (#"{"metadata":{"authorization_endpoint":"http://127.0.0.1/a"}}"#, .unavailable, "issuer_unreachable"),
      (#"{"metadata":{"token_endpoint":null}}"#, .unavailable, "issuer_unreachable"),
    ] as [(String, StatusCode, String)] {
      try await clinic.provider.behave(behaviour)
      // What it said before is not trusted for ever.
      clinic.time.advance(by: IssuerSource.trustedFor)
      await expectRefusal(code, rule) { try await clinic.start() }
    }
    // Without a client, only apps sign people in by it.
    try await clinic.provider.behave(#"{"metadata":{}}"#)
    clinic.time.advance(by: IssuerSource.trustedFor)
    _ = try await clinic.start()
    try await clinic.trust { ($0.client, $0.audiences) = (nil, ["app"]) }
    await expectRefusal(.notFound, "unknown_identity_issuer") { try await clinic.start() }
    await clinic.end()
  }

  @Test("a session goes on while the provider renews it, with the roles that it says then, and ends when it does not")
  func renews() async throws {
    let clinic = try await Clinic()
    func refresh(_ tokens: AccountTokens?, after time: Duration = .seconds(200)) async throws -> AccountTokens {
      clinic.world.clock.move(by: time)
      let now = clinic.world.clock.clock.now.millisecondsSince1970 / 1000
      try await clinic.provider.behave("{\"now\":\(now)}")
      let answer = try await clinic.world.device("tablet").signIn.refreshTokens(
        RefreshTokensRequest(refreshToken: tokens?.refreshToken ?? ""))
      return try #require(answer.tokens)
    }
    try await clinic.provider.behave(#"{"renews":true}"#)
    let first = try await clinic.finish(try await clinic.back())
    #expect(first.tokens?.refreshExpiresAt == first.tokens?.accessExpiresAt)
    try await clinic.provider.behave(#"{"claims":{"groups":["doctors"]}}"#)
    let second = try await refresh(first.tokens)
    let identity = try clinic.world.identity(of: second.accessToken)
    #expect(identity.subject == "clinic:ada" && identity.grants == ["investigator@heart"])
    // Longer than an access token lasts, and the provider speaks of somebody else now.
    _ = try await refresh(second)
    let later = try await clinic.finish(try await clinic.back())
    try await clinic.provider.behave(#"{"claims":{"sub":"eve"}}"#)
    await expectRefusal(.unauthenticated, "other_person") { try await refresh(later.tokens) }
    // It has forgotten the person, or the person has signed out here.
    try await clinic.provider.behave(#"{"claims":{},"status":400,"body":"{\"error\":\"invalid_grant\"}"}"#)
    await expectRefusal(.unauthenticated, "code_refused") { try await refresh(later.tokens, after: .seconds(50)) }
    try await clinic.provider.behave(#"{"status":0}"#)
    let last = try await clinic.finish(try await clinic.back())
    _ = try await clinic.world.bearer(last.tokens?.accessToken ?? "").signIn.endSessions(EndSessionsRequest())
    await expectRefusal(.unauthenticated, "bad_refresh_token") { try await refresh(last.tokens) }
    await clinic.end()
  }

  @Test("a client's secret is shown to nobody, and goes with the client; a trial says what is right and what is not")
  func administered() async throws {
    let clinic = try await Clinic()
    let admin = clinic.world.admin.admin
    func findings() async throws -> [IdentityCheck: Bool] {
      let answer = try await admin.tryIdentityIssuer(TryIdentityIssuerRequest(issuer: clinic.provider.address))
      #expect(answer.findings.allSatisfy { !$0.message.isEmpty && !$0.message.contains(OpenIDProvider.secret) })
      return Dictionary(uniqueKeysWithValues: answer.findings.map { ($0.check, $0.right) })
    }
    #expect(try await findings() == [.keys: true, .discovery: true, .keysAddress: true, .secret: true])
    try await clinic.provider.behave(#"{"published":[],"metadata":{"jwks_uri":"https://elsewhere.example/keys"}}"#)
    #expect(try await findings() == [.keys: false, .discovery: true, .keysAddress: false, .secret: true])
    try await clinic.provider.behave(#"{"metadata":{"issuer":"https://id.other.example"}}"#)
    #expect(try await findings()[.discovery] == false)
    let shown = try await admin.getAccountSettings(GetAccountSettingsRequest()).settings ?? AccountSettings()
    #expect(!String(decoding: try shown.encoded(), as: UTF8.self).contains(OpenIDProvider.secret))
    // Another client, and the first one again: the secret of the first one is gone.
    try await clinic.trust { $0.client?.clientID = "another" }
    try await clinic.trust()
    #expect(try await findings()[.secret] == false)
    await expectRefusal(.failedPrecondition, "client_secret_missing") { try await clinic.start() }
    for secret in ["", String(repeating: "x", count: 501), "two\nlines"] {
      await expectRefusal(.invalidArgument, "bad_secret") { try await clinic.setSecret(secret) }
    }
    try await clinic.trust { $0.client?.proof = ClientProof.none }
    await expectRefusal(.failedPrecondition, "no_secret_needed") { try await clinic.setSecret("x") }
    for change in [{ $0.clientID = "" }, { $0.scopes = ["two words"] }, { $0.scopes = [""] }]
      as [(inout IdentityClient) -> Void]
    {
      do {
        try await clinic.trust { issuer in
          var client = issuer.client ?? IdentityClient()
          change(&client)
          issuer.client = client
        }
        Issue.record("not refused")
      } catch let status as Status {
        #expect(status.code == .invalidArgument, "\(status)")
      }
    }
    await expectRefusal(.notFound, "unknown_identity_issuer") {
      try await admin.tryIdentityIssuer(TryIdentityIssuerRequest(issuer: "https://b.example"))
    }
    await clinic.end()
  }

  @Test("the screens have a button for each provider, also where people are chosen, and say which pages can press")
  func buttons() async throws {
    let clinic = try await Clinic()
    func buttons(_ kind: AccountViewKind) async throws -> [AccountButton] {
      let view = try await clinic.world.device("tablet").views.getAccountView(
        GetAccountViewRequest(kind: kind, locale: "en")
      ).view
      return view?.buttons.filter { $0.action == .signInWithIdentity } ?? []
    }
    #expect(try await buttons(.signIn).map(\.title) == ["Sign In with Northside Clinic"])
    #expect(try await buttons(.signIn).allSatisfy(\.onPages))
    // Somebody with a passcode is the current person, and somebody else is new here.
    _ = try await clinic.world.onboard("Tomas Berg")
    #expect(try await buttons(.signIn).isEmpty)
    #expect(try await buttons(.switch).map(\.issuer) == [clinic.provider.address])
    try await clinic.trust { ($0.client, $0.audiences) = (nil, ["app"]) }
    #expect(try await buttons(.switch).map(\.onPages) == [false])
    await clinic.end()
  }
}
