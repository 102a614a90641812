import Base
import ConsentContract
import Face
import GatewayContract
import HTTPFace
import RPC
import TestSupport
import Testing
import Wire

/// Browsers at the door: what a link's cookie and an app's token open, and what they do not.
@Suite("Browsers at the door", .timeLimit(.minutes(2))) struct BrowserTests {
  private static let host = "consent.example.org"
  private static let key = "ak_00112233_" + String(repeating: "5a", count: 24)

  /// Accepts one key, of an app.
  private struct OneKey: CredentialVerifier {
    func recognises(_ token: String) -> Bool { token.hasPrefix("ak_") }

    func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
      guard token == BrowserTests.key else { throw Status(.unauthenticated, rule: "credential_unknown", "no such key") }
      return VerifiedCaller(
        identity: CallerIdentity(kind: .device, tenant: "t1", subject: "app", device: "app"), account: "ak_00112233")
    }
  }

  private struct House {
    let world: World
    let desk: HTTPDoorBench

    init() async throws {
      world = try await World()
      try await world.open()
      let passes = BrowserPasses(secret: [1], clock: world.clock.clock)
      desk = try HTTPDoorBench(
        on: world.bus, admittingBy: [passes, OneKey()], passes: passes, clock: world.clock.clock)
    }

    func invite() async throws -> StudyInvitation {
      let invitation = StudyInvitation(flowID: "flow", siteID: "north")
      return try #require(
        try await world.coordinator.studies.createInvitation(CreateInvitationRequest(invitation: invitation)).invitation
      )
    }

    /// A call by a script of the gateway's own page, unless headers say otherwise; an empty one is not sent.
    func post(
      _ method: String, _ request: some Message, _ headers: [String: String] = [:]
    ) async throws -> HTTPDoorBench.Response {
      var all = [
        "content-type": "application/json", "host": BrowserTests.host, "origin": "https://\(BrowserTests.host)",
        "connect-protocol-version": "1",
      ]
      all.merge(headers) { $1 }
      var head = RequestHead(method: "POST", target: "/assent.\(method)", address: "192.0.2.7")
      for (name, value) in all where !value.isEmpty { head.add(name, value) }
      return await desk.answer(head, try request.json())
    }

    func open(_ invitation: StudyInvitation, _ headers: [String: String] = [:]) async throws -> (String, SessionView) {
      let response = try await post(
        "consent.v1.SessionService/OpenInvitation", OpenInvitationRequest(link: invitation.link, clientSchema: 2),
        headers)
      try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
      let answer = try OpenInvitationResponse(json: response.body)
      return (response.headers["set-cookie"] ?? "", try #require(answer.session))
    }

    func get(_ headers: [String: String]) async throws -> HTTPDoorBench.Response {
      try await post("consent.v1.SessionService/GetSession", GetSessionRequest(clientSchema: 2), headers)
    }
  }

  private static func pair(_ cookie: String) -> String { String(cookie.prefix { $0 != ";" }) }

  private static func rule(_ response: HTTPDoorBench.Response) -> String {
    JSONValue(parsing: String(decoding: response.body, as: UTF8.self))["message"].text?
      .split(separator: ":").first.map(String.init) ?? ""
  }

  @Test("a link is exchanged for a cookie that no script reads and no other site sends")
  func cookie() async throws {
    let house = try await House()
    let (cookie, session) = try await house.open(try await house.invite())
    #expect(cookie.hasPrefix("__Host-assent=bp1."))
    for word in ["; Path=/;", "; HttpOnly", "; SameSite=Strict", "; Secure", "; Max-Age=1800;"] {
      #expect(cookie.contains(word), "\(cookie)")
    }
    #expect(!cookie.lowercased().contains("domain"))
    let seen = try await house.get(["cookie": "theme=dark; \(Self.pair(cookie))"])
    #expect(try GetSessionResponse(json: seen.body).session?.sessionID == session.sessionID)
    #expect(seen.headers["cache-control"] == "no-store" && seen.headers["set-cookie"] == nil)
    // On one's own machine without TLS, browsers accept no cookie of that name.
    let local = ["host": "localhost:8080", "origin": "http://localhost:8080"]
    let (plain, _) = try await house.open(try await house.invite(), local)
    #expect(plain.hasPrefix("assent-local=bp1.") && plain.contains("HttpOnly") && !plain.contains("Secure"))
    #expect(try await house.get(local.merging(["cookie": Self.pair(plain)]) { $1 }).status == 200)
    #expect(try await house.get(["cookie": Self.pair(plain)]).status == 401)
    await house.world.end()
  }

  @Test("a cookie counts only for scripts of the gateway's own pages, and a link opened elsewhere brings none")
  func forgery() async throws {
    let house = try await House()
    let (cookie, _) = try await house.open(try await house.invite())
    let foreign: [[String: String]] = [
      ["origin": "https://evil.example"], ["origin": "http://\(Self.host)", "host": "other.example"], ["origin": ""],
      ["origin": "null"], ["connect-protocol-version": ""], ["origin": HTTPDoorBench.origin],
    ]
    for headers in foreign {
      let response = try await house.get(headers.merging(["cookie": Self.pair(cookie)]) { $1 })
      #expect(response.status == 403 && Self.rule(response) == "foreign_page", "\(headers)")
      let (brought, _) = try await house.open(try await house.invite(), headers)
      #expect(brought.isEmpty, "\(headers)")
    }
    // A form cannot send JSON, and nothing is sent along with a GET.
    let form = try await house.get(["content-type": "text/plain", "cookie": Self.pair(cookie)])
    #expect(form.status == 415)
    await house.world.end()
  }

  @Test("a cookie is good for the methods of its session alone, never as a bearer token, and holds nothing else")
  func scope() async throws {
    let house = try await House()
    let (cookie, session) = try await house.open(try await house.invite())
    let mine = ["cookie": Self.pair(cookie)]
    let token = String(Self.pair(cookie).dropFirst("__Host-assent=".count))
    for method in [
      "consent.v1.SessionService/StartSession", "consent.v1.SessionService/ListConsentSessions",
      "consent.v1.RecordService/WithdrawConsent", "consent.v1.StudyService/GetStudy", "gateway.v1.GatewayService/Batch",
      "gateway.v1.GatewayService/CreateBrowserToken", "account.v1.SignInService/GetTokenKeys",
    ] {
      let response = try await house.post(method, GetSessionRequest(), mine)
      #expect(response.status == 403 && Self.rule(response) == "out_of_scope", "\(method): \(response.status)")
    }
    let other = try await house.world.walk(subject: "s9", site: "north")
    let foreign = try await house.post(
      "consent.v1.SessionService/GetSession", GetSessionRequest(sessionID: other.sessionID), mine)
    #expect(foreign.status == 403 && Self.rule(foreign) == "not_admitted")
    #expect(try await house.get(["authorization": "Bearer \(token)"]).status == 401)
    for stolen in [Self.key, "bp1.AAAA", String(token.dropLast(2)) + "AA"] {
      #expect(try await house.get(["cookie": "__Host-assent=\(stolen)"]).status == 401, "\(stolen)")
    }
    let acted = try await house.post(
      "consent.v1.SessionService/ActOnSession",
      ActOnSessionRequest(
        sessionID: session.sessionID, expectedVersion: session.version,
        action: Walker.goodAction(on: try #require(session.screen)), clientSchema: 2), mine)
    #expect(acted.status == 200)
    for method in BrowserPasses.methods { #expect(house.desk.catalogue.method("/\(method)") != nil, "\(method)") }
    await house.world.end()
  }

  @Test(
    "a cookie ends after half an hour of rest, is renewed while it is used, and after half a day the link is needed")
  func time() async throws {
    let house = try await House()
    let invitation = try await house.invite()
    var (cookie, _) = try await house.open(invitation)
    house.world.clock.move(by: .seconds(1801))
    let late = try await house.get(["cookie": Self.pair(cookie)])
    #expect(late.status == 401 && Self.rule(late) == "credential_expired")
    // An old cookie stands in nobody's way.
    (cookie, _) = try await house.open(invitation, ["cookie": Self.pair(cookie)])
    var renewals = 0
    var last = try await house.get(["cookie": Self.pair(cookie)])
    for _ in 0..<200 where last.status == 200 {
      if let next = last.headers["set-cookie"] {
        renewals += 1
        cookie = next
      }
      house.world.clock.move(by: .seconds(1000))
      last = try await house.get(["cookie": Self.pair(cookie)])
    }
    #expect(last.status == 401 && (40...44).contains(renewals), "\(renewals)")
    await house.world.end()
  }

  @Test("a second browser takes over, and the first says so; signing out takes the cookie and its right away")
  func takenOver() async throws {
    let house = try await House()
    let invitation = try await house.invite()
    let (first, _) = try await house.open(invitation)
    let (second, session) = try await house.open(invitation)
    let told = try await house.get(["cookie": Self.pair(first)])
    #expect(try GetSessionResponse(json: told.body).session?.screen?.id == "elsewhere")
    let act = ActOnSessionRequest(sessionID: session.sessionID, expectedVersion: session.version)
    let refused = try await house.post(
      "consent.v1.SessionService/ActOnSession", act, ["cookie": Self.pair(first)])
    #expect(Self.rule(refused) == "other_device")
    let left = try await house.post(
      "consent.v1.SessionService/LeaveSession", LeaveSessionRequest(), ["cookie": Self.pair(second)])
    let gone = left.headers["set-cookie"] ?? ""
    #expect(left.status == 200 && gone.hasPrefix("__Host-assent=;") && gone.contains("Max-Age=0;"), "\(gone)")
    #expect(left.headers["clear-site-data"] == "\"cache\"")
    let after = try await house.get(["cookie": Self.pair(second)])
    #expect(try GetSessionResponse(json: after.body).session?.screen?.title == "You have left")
    await house.world.end()
  }

  @Test("links cannot be guessed at any rate")
  func guessing() async throws {
    let house = try await House()
    var tries = 0
    var last: HTTPDoorBench.Response
    // One a second is given back meanwhile.
    repeat {
      last = try await house.post(
        "consent.v1.SessionService/OpenInvitation", OpenInvitationRequest(link: "/c#t1.K7M2N4P9QX"))
      tries += 1
    } while last.status != 429 && tries < 1000
    #expect(tries > 60 && Self.rule(last) == "too_many_links" && last.headers["retry-after"] == "1")
    await house.world.end()
  }

  @Test("an app's server has a token made for one session and one origin")
  func embedded() async throws {
    let house = try await House()
    let view = try #require(
      try await house.world.client("app", kind: .device, device: "app").sessions.startSession(
        StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, deviceID: "app")
      ).session)
    let app = ["authorization": "Bearer \(Self.key)", "origin": ""]
    let made = try await house.post(
      "gateway.v1.GatewayService/CreateBrowserToken",
      CreateBrowserTokenRequest(sessionID: view.sessionID, origin: HTTPDoorBench.origin), app)
    try #require(made.status == 200, "\(String(decoding: made.body, as: UTF8.self))")
    let token = try CreateBrowserTokenResponse(json: made.body).token
    let page = ["authorization": "Bearer \(token)", "origin": HTTPDoorBench.origin]
    let seen = try await house.get(page)
    #expect(try GetSessionResponse(json: seen.body).session?.sessionID == view.sessionID)
    #expect(seen.headers["access-control-allow-origin"] == HTTPDoorBench.origin)
    #expect(seen.headers["access-control-allow-credentials"] == nil && seen.headers["set-cookie"] == nil)
    for origin in ["https://evil.example", "https://\(Self.host)", ""] {
      let response = try await house.get(page.merging(["origin": origin]) { $1 })
      #expect(response.status == 403 && Self.rule(response) == "foreign_page", "\(origin)")
    }
    #expect(try await house.get(["cookie": "__Host-assent=\(token)"]).status == 403)
    // The app itself has handed the session over.
    let refused = try await house.post(
      "consent.v1.SessionService/ActOnSession",
      ActOnSessionRequest(sessionID: view.sessionID, expectedVersion: 2), app)
    #expect(Self.rule(refused) == "other_device")
    let stranger = try await house.post(
      "gateway.v1.GatewayService/CreateBrowserToken",
      CreateBrowserTokenRequest(sessionID: view.sessionID, origin: HTTPDoorBench.origin), ["origin": ""])
    #expect(stranger.status == 401)
    house.world.clock.move(by: .seconds(901))
    #expect(try await house.get(page).status == 401)
    await house.world.end()
  }
}
