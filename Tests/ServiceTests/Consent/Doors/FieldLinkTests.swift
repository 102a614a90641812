import Base
import ConsentContract
import Face
import GatewayContract
import HTTPFace
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing
import Wire

/// The link of a field at the door: a person at a computer has a phone draw, which can do nothing else.
@Suite("A field's link at the door", .timeLimit(.minutes(2))) struct FieldLinkTests {
  private struct House {
    let world: SignedWorld
    let desk: HTTPDoorBench

    init() async throws {
      world = try await SignedWorld(.sqlite)
      try await world.consent.open()
      let passes = BrowserPasses(secret: [1], clock: world.consent.clock.clock)
      desk = try HTTPDoorBench(
        on: world.consent.bus, admittingBy: [passes], passes: passes, clock: world.consent.clock.clock)
    }

    func post(
      _ method: String, _ request: some Message, _ headers: [String: String], stream: Bool = false
    ) async throws -> HTTPDoorBench.Response {
      var all = [
        "content-type": stream ? "application/connect+json" : "application/json", "host": "consent.example.org",
        "origin": "https://consent.example.org", "connect-protocol-version": "1",
      ]
      all.merge(headers) { $1 }
      var head = RequestHead(method: "POST", target: "/assent.\(method)", address: "192.0.2.7")
      for (name, value) in all { head.add(name, value) }
      var body = try request.json()
      if stream {
        let count = UInt32(body.count)
        body = [0] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) } + body
      }
      return await desk.answer(head, body)
    }

    /// A browser that has opened an invitation's link: its cookie, and its session.
    func browser() async throws -> (cookie: [String: String], session: SessionView) {
      let invitation = try #require(
        try await world.consent.coordinator.studies.createInvitation(
          CreateInvitationRequest(invitation: StudyInvitation(flowID: "flow", siteID: "north"))
        ).invitation)
      let response = try await post(
        "consent.v1.SessionService/OpenInvitation", OpenInvitationRequest(link: invitation.link, clientSchema: 2), [:])
      let cookie = String((response.headers["set-cookie"] ?? "").prefix { $0 != ";" })
      return (["cookie": cookie], try #require(try OpenInvitationResponse(json: response.body).session))
    }

    /// A field of the session, woken.
    func field(_ cookie: [String: String], _ session: SessionView) async throws -> FieldView {
      let reference = FieldReference(subjectID: "s1", studyID: "study", siteID: "north", sessionID: session.sessionID)
      let created = try await post(
        "signature.v1.SignatureService/CreateField",
        CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Sign")), cookie)
      let made = try #require(try CreateFieldResponse(json: created.body).view, "\(created.body.text)")
      let tapped = try await post(
        "signature.v1.SignatureService/TapField",
        TapFieldRequest(fieldID: made.fieldID, expectedVersion: made.version), cookie)
      return try #require(try TapFieldResponse(json: tapped.body).view)
    }

    func link(_ field: String, _ headers: [String: String]) async throws -> (HTTPDoorBench.Response, [String: String]) {
      let made = try await post(
        "gateway.v1.GatewayService/CreateFieldLink", CreateFieldLinkRequest(fieldID: field), headers)
      let link = try made.status == 200 ? CreateFieldLinkResponse(json: made.body).link : ""
      return (made, ["authorization": "Bearer \(link.drop { $0 != "#" }.dropFirst())"])
    }

    func open(_ link: [String: String]) async throws -> [String: String] {
      let opened = try await post("gateway.v1.GatewayService/OpenFieldLink", OpenFieldLinkRequest(), link)
      try #require(opened.status == 200, "\(opened.body.text)")
      return ["authorization": "Bearer \(try OpenFieldLinkResponse(json: opened.body).token)"]
    }

    func draw(_ field: FieldView, _ version: Int64, _ headers: [String: String]) async throws -> HTTPDoorBench.Response
    {
      let piece = StrokePiece(
        beginsStroke: true, x: [20, 90, 160, 300], y: [40, 120, 60, 90], timeMs: [0, 20, 40, 60])
      return try await post(
        "signature.v1.SignatureService/AppendStrokes",
        AppendStrokesRequest(fieldID: field.fieldID, expectedVersion: version, pieces: [piece]), headers, stream: true)
    }
  }

  private static func rule(_ response: HTTPDoorBench.Response) -> String {
    JSONValue(parsing: response.body.text)["message"].text?.split(separator: ":").first.map(String.init) ?? ""
  }

  @Test("a link is opened, draws, is taken over, and ends; its token is good for nothing else")
  func link() async throws {
    let house = try await House()
    let (cookie, session) = try await house.browser()
    let field = try await house.field(cookie, session)
    let (made, link) = try await house.link(field.fieldID, cookie)
    #expect(made.status == 200 && made.headers["cache-control"] == "no-store")
    // The link itself draws nothing: it is opened, and whoever opens it has a token of their own.
    let early = try await house.draw(field, field.version + 1, link)
    #expect(early.body.text.contains("out_of_scope"), "\(early.body.text)")
    let phone = try await house.open(link)
    let drawn = try await house.draw(field, field.version + 2, phone)
    #expect(drawn.status == 200 && drawn.body.text.contains("FIELD_STATE_SIGNED"), "\(drawn.body.text)")
    for method in [
      "consent.v1.SessionService/GetSession", "consent.v1.SessionService/ActOnSession",
      "signature.v1.SignatureService/SaveField", "signature.v1.SignatureService/CreateField",
      "signature.v1.SignatureService/GetField", "gateway.v1.GatewayService/CreateFieldLink",
      "gateway.v1.GatewayService/OpenFieldLink", "gateway.v1.GatewayService/Batch",
      "gateway.v1.GatewayService/CreateDownload", "signature.v1.RenderService/Render",
    ] {
      let response = try await house.post(method, GetSessionRequest(), phone)
      #expect(response.status == 403 && Self.rule(response) == "out_of_scope", "\(method): \(response.body.text)")
    }
    let token = phone["authorization"]?.dropFirst("Bearer ".count) ?? ""
    let asCookie = try await house.post(
      "signature.v1.SignatureService/ClearField", ClearFieldRequest(fieldID: field.fieldID),
      ["cookie": "__Host-assent=\(token)"])
    #expect(asCookie.status == 401)
    let second = try await house.open(link)
    let clear = ClearFieldRequest(fieldID: field.fieldID, expectedVersion: field.version + 4)
    let told = try await house.post("signature.v1.SignatureService/ClearField", clear, phone)
    #expect(Self.rule(told) == "other_device", "\(told.body.text)")
    #expect(try await house.post("signature.v1.SignatureService/ClearField", clear, second).status == 200)
    let back = try await house.post(
      "signature.v1.SignatureService/LendField", LendFieldRequest(fieldID: field.fieldID), second)
    #expect(back.status == 200)
    let late = try await house.post("gateway.v1.GatewayService/OpenFieldLink", OpenFieldLinkRequest(), link)
    #expect(late.status == 400 && Self.rule(late) == "loan_ended", "\(late.body.text)")
    await house.world.end()
  }

  @Test("only who may draw in a field makes its link, and nobody makes one up")
  func strangers() async throws {
    let house = try await House()
    let (cookie, session) = try await house.browser()
    let (otherCookie, _) = try await house.browser()
    let field = try await house.field(cookie, session)
    let (foreign, _) = try await house.link(field.fieldID, otherCookie)
    #expect(foreign.status == 403 && Self.rule(foreign) == "not_admitted")
    let (stranger, _) = try await house.link(field.fieldID, [:])
    #expect(stranger.status == 401)
    let (missing, _) = try await house.link("01a22529-bffe-7160-b796-bca23622f73f", cookie)
    #expect(missing.status == 404)
    for made in ["Bearer bp1.AAAA", "Bearer bp1." + String(repeating: "A", count: 200)] {
      let opened = try await house.post(
        "gateway.v1.GatewayService/OpenFieldLink", OpenFieldLinkRequest(), ["authorization": made])
      #expect(opened.status == 401)
    }
    let without = try await house.post("gateway.v1.GatewayService/OpenFieldLink", OpenFieldLinkRequest(), cookie)
    #expect(without.status == 403, "a cookie is no link")
    await house.world.end()
  }

  @Test("a link is good for ten minutes, and so is whoever has come by it")
  func time() async throws {
    let house = try await House()
    let (cookie, session) = try await house.browser()
    let field = try await house.field(cookie, session)
    let (_, link) = try await house.link(field.fieldID, cookie)
    house.world.consent.clock.move(by: .seconds(590))
    let phone = try await house.open(link)
    house.world.consent.clock.move(by: .seconds(11))
    let late = try await house.draw(field, field.version + 2, phone)
    #expect(late.body.text.contains("credential_expired"), "\(late.body.text)")
    let reopened = try await house.post("gateway.v1.GatewayService/OpenFieldLink", OpenFieldLinkRequest(), link)
    #expect(reopened.status == 401 && Self.rule(reopened) == "credential_expired")
    await house.world.end()
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
