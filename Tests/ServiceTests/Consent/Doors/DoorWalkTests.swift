import AuthorityKit
import Base
import ConsentContract
import Face
import FaceTestKit
import HTTPFace
import RPC
import TestSupport
import Testing
import Tokens
import Wire

/// Everybody by every way in: a door's credentials, batches and addresses of files lead to nothing else than the rights
/// that the table gives. (The bus's own keys are walked in `WalkTests` and `KeyRightsTests`.)
@Suite("Everybody calls through the door", .timeLimit(.minutes(5))) struct DoorWalkTests {
  /// A world, a door before it, and what opens the door.
  private struct House {
    let world: AuthorityWorld
    let desk: HTTPDoorBench
    let ring: APIKeyRing
    let folder: TemporaryFolder
    private let tokens = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
    let credentials: TokenCredentials
    let key = APIKey.generate()

    private let now = Clock.system.now

    init() async throws {
      world = try await AuthorityWorld()
      folder = try TemporaryFolder()
      ring = try APIKeyRing(following: folder.file("keys"))
      // What was heard of revocations stays news.
      let news = RevocationNews(clock: SteppedClock().clock)
      credentials = TokenCredentials(news)
      credentials.learn(jwks: tokens.published(at: now).jwks, [])
      news.answerAll()
      desk = try HTTPDoorBench(on: world.bus, admittingBy: [ring, credentials])
    }

    /// Has the list of keys give the one key to an actor.
    func admit(_ actor: Actor, scopes: [String] = []) throws {
      var list = APIKeyList()
      try list.add(
        APIKey(
          id: try #require(APIKey.id(of: key)), hash: APIKey.hash(of: key), name: actor.name, tenant: actor.tenant,
          kind: actor.kind, roles: actor.grants, scopes: scopes))
      ring.replace(with: list)
    }

    func token(_ actor: Actor, _ use: TokenClaims.Use? = nil) -> String {
      let isDevice = actor.kind == .device
      return tokens.token(
        TokenClaims(
          use: use ?? (isDevice ? .device : .user), tenant: actor.tenant, subject: actor.name,
          device: isDevice ? actor.name : "tablet", session: "session", grants: actor.grants, issuedAt: now,
          expiresAt: now + .seconds(300)))
    }

    func revoke(_ actor: Actor) {
      credentials.learn(jwks: "", [(.person(actor.name), actor.tenant, now)])
    }

    /// Whoever calls so; nil when this kind of caller has no such credential.
    func channel(_ actor: Actor, _ way: Way) throws -> DoorChannel? {
      if actor.kind == .stranger { return DoorChannel(desk: desk, way: way, credential: nil) }
      guard actor.kind == .person || actor.kind == .device else { return nil }
      switch way {
      case .token:
        // A device's token has no roles.
        if actor.kind == .device, !actor.grants.isEmpty { return nil }
        return DoorChannel(desk: desk, way: way, credential: token(actor))
      case .connect, .grpcWeb, .batch, .file:
        try admit(actor)
        return DoorChannel(desk: desk, way: way, credential: key)
      }
    }
  }

  /// Keys have names of fewer characters than the people of a bus's door.
  static func withPlainName(_ actor: Actor) -> Actor {
    let name = actor.name.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "." }
    return Actor(name: String(name), kind: actor.kind, tenant: actor.tenant, grants: actor.grants)
  }

  /// Rows of methods with one request and one answer, with the method as the door knows it.
  private static func rows(_ house: House, _ way: Way) throws -> [(row: Row, method: Catalogue.Method)] {
    let methods = Dictionary(
      house.desk.catalogue.allMethods.map { method in
        (method.descriptor.path.split(separator: ".").last.map(String.init) ?? "", method)
      }
    ) { first, _ in first }
    return try Row.consent.compactMap { row in
      let method = try #require(methods[row.method], "\(row.method)")
      guard method.descriptor.kind == .unary, way != .file || method.download != nil else { return nil }
      // Its row asks for a time that JSON has no words for.
      return way == .batch && row.method == "StudyService/CreateInvitation" ? nil : (row, method)
    }
  }

  /// A way that does not lead to the service proves nothing. (The services behind it are not there.)
  private static func comesFromTheService(_ status: Status) -> Bool {
    switch status.code {
    case .internal, .unknown, .unavailable: false
    case .unimplemented: status.message.hasPrefix("no service has announced /assent.signature.v1.")
    default: true
    }
  }

  @Test("every method by every way in, as the contract says", arguments: Way.allCases)
  func walk(way: Way) async throws {
    let house = try await House()
    let world = house.world
    let table = try PermissionTable().rules
    let models = world.facts.mapValues { Model(rules: table, facts: $0) }
    let nobody = Model(rules: table, facts: Facts())
    let rows = try Self.rows(house, way)
    let ways = Way.allCases.firstIndex(of: way) ?? 0
    var (calls, admitted, refused) = (0, 0, 0)
    for (number, somebody) in Actor.everybody.enumerated() {
      let actor = Self.withPlainName(somebody)
      guard let channel = try house.channel(actor, way) else { continue }
      let clients = ConsentClients(channel)
      for (index, row) in rows.map(\.row).enumerated() {
        // Each person meets each method by one of the six ways, each way with a sixth of everything; a long test leaves
        // nothing out. Files are few.
        let turn = number + index
        let isWhole = way == .file || LongTests.areWanted
        guard isWhole || (turn + ways) % 6 == 0 else { continue }
        for target in isWhole ? world.targets : [world.targets[turn / 6 % world.targets.count]] {
          let outcome = await WalkTests.outcome(of: row, by: clients, on: target)
          calls += 1
          let name = "\(actor.description) \(row.method) on \(target.subject), \(way.rawValue)"
          if !actor.tenant.isEmpty, actor.tenant != target.tenant {
            if case .admitted(let answer) = outcome {
              #expect(!target.marks.contains(where: answer.contains), "\(name): \(answer)")
            }
            continue
          }
          let expected = (models[actor.tenant] ?? nobody).may(actor, row.method, row.thing(actor, target))
          switch outcome {
          case .denied:
            refused += 1
            if expected { Issue.record("\(name): refused") }
          case .admitted(let answer):
            admitted += 1
            if !expected { Issue.record("\(name): got \(answer)") }
          case .failed(let status):
            admitted += 1
            if !expected { Issue.record("\(name): was let in: \(status)") }
            #expect(Self.comesFromTheService(status), "\(name): \(status)")
          }
        }
      }
    }
    #expect(admitted > 15 && refused > 50, "\(way.rawValue): \(calls) calls, \(admitted) admitted, \(refused) refused")
    await world.end()
  }

  @Test("an upload grant and a key for another service open nothing")
  func nothing() async throws {
    let house = try await House()
    let target = house.world.targets[0]
    let mighty = Actor(
      name: target.subject, grants: ["admin", "inspector", "investigator", "publisher"].map { "\($0)@*" })
    try house.admit(mighty, scopes: ["assent.signature.v1.RenderService/*"])
    let ways: [(String, DoorChannel, StatusCode)] = [
      (
        "upload grant", DoorChannel(desk: house.desk, way: .connect, credential: house.token(mighty, .upload)),
        .unauthenticated
      ),
      (
        "key for another service", DoorChannel(desk: house.desk, way: .connect, credential: house.key),
        .permissionDenied
      ),
      ("the same in a batch", DoorChannel(desk: house.desk, way: .batch, credential: house.key), .permissionDenied),
      (
        "a key nobody has", DoorChannel(desk: house.desk, way: .connect, credential: APIKey.generate()),
        .unauthenticated
      ),
    ]
    for (name, channel, code) in ways {
      for (row, _) in try Self.rows(house, channel.way) {
        switch await Self.code(of: row, by: ConsentClients(channel), on: target) {
        case code: break
        case let other: Issue.record("\(name): \(row.method): \(String(describing: other))")
        }
      }
    }
    await house.world.end()
  }

  private static func code(
    of row: Row, by clients: ConsentClients, on target: AuthorityWorld.Target
  ) async
    -> StatusCode?
  {
    do {
      _ = try await row.call(clients, target)
      return .ok
    } catch {
      return (error as? Status)?.code
    }
  }

  @Test(
    "a stored answer is repeated to no key whose rights were lowered",
    arguments: [Way.connect, .grpcWeb, .batch])
  func replays(way: Way) async throws {
    let house = try await House()
    let site = CreateSiteRequest(site: StudySite(studyID: "heart", siteID: "east", name: "East"))
    let options = CallOptions(idempotencyKey: .given("the-same-key"))
    func create(_ grants: [String]) async throws -> CreateSiteResponse {
      try house.admit(Actor(name: "amy", grants: grants))
      let channel = DoorChannel(desk: house.desk, way: way, credential: house.key)
      return try await ConsentClients(channel).studies.createSite(site, options: options)
    }
    let first = try await create(["admin@heart"])
    #expect(try await create(["admin@heart"]) == first, "a repeat gets the first answer")
    for grants in [[], ["coordinator@heart"], ["admin@lung"], ["admin@heart/north"]] {
      let error = await #expect(throws: Status.self) { try await create(grants) }
      #expect(error?.code == .permissionDenied, "\(grants): \(String(describing: error))")
    }
    #expect(try await create(["admin@*"]) == first)
    await house.world.end()
  }

  @Test("a file's address is void once its maker's key is removed, and shows no more than the key may see now")
  func addresses() async throws {
    let house = try await House()
    let target = house.world.targets[0]
    func make(_ grants: [String]) async throws -> String {
      try house.admit(Actor(name: "ines", grants: grants))
      let channel = DoorChannel(desk: house.desk, way: .connect, credential: house.key)
      let body =
        #"{"method":"assent.consent.v1.RecordService/GetShownContent","lifetimeMs":60000,"request":"{\"recordId\":\"\#(target.record)\"}"}"#
      let head = channel.head(
        "POST", "/assent.gateway.v1.GatewayService/CreateDownload", [("Content-Type", "application/json")])
      let answer = await house.desk.answer(head, Array(body.utf8))
      return try #require(JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))["path"].text, "\(answer)")
    }
    func fetch(_ path: String) async -> Int {
      await house.desk.answer(RequestHead(method: "GET", target: path, address: "192.0.2.8")).status
    }
    let path = try await make(["inspector@heart"])
    #expect(await fetch(path) == 200)
    try house.admit(Actor(name: "ines", grants: ["inspector@lung"]))
    #expect(await fetch(path) == 403)
    house.ring.replace(with: APIKeyList())
    #expect(await fetch(path) == 401)
    await house.world.end()
  }

  enum Loss: String, CaseIterable, Sendable {
    case lowered = "the key's roles are lowered"
    case removed = "the key is removed"
    case revoked = "the token is revoked"
  }

  @Test("a stream that is open ends when its caller loses the right", arguments: Loss.allCases)
  func streams(loss: Loss) async throws {
    let house = try await House()
    let actor = Actor(name: "ines", grants: ["inspector@heart"])
    let channel = try #require(try house.channel(actor, loss == .revoked ? .token : .connect))
    let head = channel.head(
      "POST", "/assent.consent.v1.RecordService/WatchEvents", [("Content-Type", "application/connect+proto")])
    var body: [UInt8] = []
    PrefixedFrame(payload: try WatchEventsRequest(studyID: "heart").encoded()).append(to: &body)
    let untouched = try await house.desk.stream(head, body, patience: .seconds(1)) {}
    #expect(untouched == nil, "without a loss it goes on")
    let rest = try await house.desk.stream(head, body, patience: .seconds(60)) {
      switch loss {
      case .lowered: try house.admit(Actor(name: "ines", grants: ["inspector@lung"]))
      case .removed: house.ring.replace(with: APIKeyList())
      case .revoked: house.revoke(actor)
      }
    }
    let end = String(decoding: try #require(rest), as: UTF8.self)
    let expected: [Loss: String] = [
      .lowered: "rights_changed: ", .removed: "credential_unknown: ", .revoked: "token_revoked: ",
    ]
    #expect(end.contains(expected[loss] ?? "?"), "\(end)")
    await house.world.end()
  }
}
