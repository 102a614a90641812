import AuthorityKit
import Base
import Bus
import ConsentContract
import Face
import FaceTestKit
import HTTPFace
import RPC
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing
import Tokens
import Wire

/// Everybody by gRPC over HTTP/2, from PyPI's grpcio: the door's credentials lead to nothing else than the rights that
/// the table gives.
@Suite("Everybody calls by gRPC", .timeLimit(.minutes(10))) struct GRPCWalkTests {
  private enum Credential: String, CaseIterable {
    case key = "an API key"
    case token = "an access token"
  }

  /// A call, and what the table says of it.
  private struct Planned {
    let name: String
    let path: String
    let isStream: Bool
    let credential: String
    let request: [UInt8]
    let isOfAnotherTenant: Bool
    let isExpected: Bool
    let marks: [String]

    var line: String {
      let body = request.isEmpty ? "-" : Base64.encode(request)
      return "\(path) \(isStream ? "stream" : "unary") \(credential.isEmpty ? "-" : credential) \(body)"
    }
  }

  private static let now = Clock.system.now

  @Test("every method by gRPC, with a key, a token and nothing, as the contract says")
  func walk() async throws {
    let world = try await AuthorityWorld()
    let calls = try await plan(world)
    let folder = try TemporaryFolder()
    let door = try await ServedDoor(world, calls.keys, in: folder)
    try Files.write(
      Array((calls.planned.map(\.line).joined(separator: "\n") + "\n").utf8), to: folder.file("calls"), mode: 0o600)
    let client = try await RunningProgram.startPython([
      Repository.path("Tests/Fixtures/grpc/walk.py"), "127.0.0.1:\(door.port)", folder.file("calls"),
      folder.file("outcomes"),
    ])
    #expect(await client.wait() == .code(0), "\(client.logLines.joined(separator: "\n"))")
    let lines = String(decoding: try Files.read(folder.file("outcomes"), limit: 64 << 20), as: UTF8.self)
      .split(separator: "\n")
    try #require(lines.count == calls.planned.count)
    var (admitted, refused) = (0, 0)
    for (call, line) in zip(calls.planned, lines) {
      let parts = line.split(separator: " ").map(String.init)
      let code = StatusCode.allCases.first { "\($0.rawValue)" == parts[0] } ?? .unknown
      let answer = parts[2] == "-" ? [] : try #require(Base64.decode(parts[2]))
      if call.isOfAnotherTenant {
        let text = String(decoding: answer, as: UTF8.self)
        #expect(!call.marks.contains { !$0.isEmpty && text.contains($0) }, "\(call.name)")
        continue
      }
      if code == .permissionDenied || code == .unauthenticated {
        refused += 1
        #expect(!call.isExpected, "\(call.name): refused")
      } else {
        admitted += 1
        #expect(call.isExpected, "\(call.name): \(code)")
        #expect(code != .internal && code != .unavailable && code != .unknown, "\(call.name): \(line)")
      }
    }
    #expect(admitted > 50 && refused > 200, "\(admitted) admitted, \(refused) refused")
    try await door.server.stop()
    await world.end()
  }

  /// Everybody's calls: a ninth of all targets for each, and all of them in a long test.
  private func plan(_ world: AuthorityWorld) async throws -> (planned: [Planned], keys: [String: Actor]) {
    let table = try PermissionTable().rules
    let models = world.facts.mapValues { Model(rules: table, facts: $0) }
    let nobody = Model(rules: table, facts: Facts())
    var (planned, keys, seen) = ([Planned](), [String: Actor](), Set<String>())
    for (number, somebody) in Actor.everybody.enumerated() {
      let actor = DoorWalkTests.withPlainName(somebody)
      for (turn, credential) in try Self.credentials(of: actor).enumerated() {
        if credential.hasPrefix(APIKey.prefix) { keys[credential] = actor }
        for (index, row) in Row.consent.enumerated() {
          for (place, target) in world.targets.enumerated() {
            guard LongTests.areWanted || (number + index + place + turn) % 9 == 0 else { continue }
            let recorder = RecordingChannel()
            _ = try? await row.call(ConsentClients(recorder), target)
            let call = try #require(recorder.call, "\(row.method) made no call")
            #expect(call.method.path.hasSuffix(".\(row.method)"))
            seen.insert(row.method)
            let model = models[actor.tenant] ?? nobody
            planned.append(
              Planned(
                name: "\(actor.description) \(row.method) on \(target.subject)", path: call.method.path,
                isStream: call.method.kind == .serverStreaming, credential: credential, request: call.request,
                isOfAnotherTenant: !actor.tenant.isEmpty && actor.tenant != target.tenant,
                isExpected: model.may(actor, row.method, row.thing(actor, target)), marks: target.marks))
          }
        }
      }
    }
    #expect(seen == Set(Row.consent.map(\.method)), "every method is called")
    return (planned, keys)
  }

  private static let tokens = TokenKeys(secret: [UInt8](repeating: 7, count: 32))

  /// What opens the door for an actor: nothing for a stranger, none for those who have no such credential.
  private static func credentials(of actor: Actor) throws -> [String] {
    switch actor.kind {
    case .stranger: return [""]
    case .service, .operator: return []
    case .person, .device:
      let key = APIKey.generate()
      let isDevice = actor.kind == .device
      // A device's token has no roles.
      if isDevice, !actor.grants.isEmpty { return [key] }
      let token = tokens.token(
        TokenClaims(
          use: isDevice ? .device : .user, tenant: actor.tenant, subject: actor.name,
          device: isDevice ? actor.name : "tablet", session: "session", grants: actor.grants, issuedAt: now,
          expiresAt: now + .seconds(3600)))
      return [key, token]
    }
  }

  /// The door of gRPC with its sockets, on a bus with the world's services.
  private final class ServedDoor {
    let server: BusServer
    let port: UInt16

    init(_ world: AuthorityWorld, _ keys: [String: Actor], in folder: TemporaryFolder) async throws {
      let rings = try keys.map { key, actor in
        var list = APIKeyList()
        try list.add(
          APIKey(
            id: try #require(APIKey.id(of: key)), hash: APIKey.hash(of: key), name: actor.name, tenant: actor.tenant,
            kind: actor.kind, roles: actor.grants))
        let ring = try APIKeyRing(following: folder.file("no-keys"))
        ring.replace(with: list)
        return (key, ring)
      }
      // What was heard of revocations stays news.
      let news = RevocationNews(clock: SteppedClock().clock)
      let credentials = TokenCredentials(news)
      credentials.learn(jwks: GRPCWalkTests.tokens.published(at: GRPCWalkTests.now).jwks, [])
      news.answerAll()
      let gatekeeper = Gatekeeper([ManyRings(Dictionary(uniqueKeysWithValues: rings)), credentials])
      let listeners = try GatewayListener.Door.allCases.map {
        GatewayListener($0, try BusEndpoint("ipc://\(folder.file("bus"))/\($0.rawValue)"))
      }
      server = try await BusServer.start(BusServer.Configuration(name: "gateway", listeners: listeners)) { _ in }
      server.serve(world.handlers, slots: 16) { error, _, method in Issue.record("\(method.name) failed: \(error)") }
      let catalogue = try Catalogue.builtIn()
      let found = Mutex<UInt16>(0)
      try await server.attach { callPort in
        let door = try Door(
          [Endpoint(host: "127.0.0.1", port: 0)], port: callPort, catalogue: catalogue, gatekeeper: gatekeeper)
        found.withLock { $0 = door.endpoints[0].port }
        return door
      }
      port = found.withLock { $0 }
    }
  }
}

/// Lists of one key each: several of the walk's people have the same name, which one list has once.
private struct ManyRings: CredentialVerifier {
  private let rings: [String: APIKeyRing]

  init(_ rings: [String: APIKeyRing]) { self.rings = rings }

  func recognises(_ token: String) -> Bool { token.hasPrefix(APIKey.prefix) }

  func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    guard let ring = rings[token] else { throw Status(.unauthenticated, "credential_unknown: nobody has this key") }
    return try ring.verify(token, at: now)
  }
}

/// Writes down the first call that a row makes, and makes none.
private final class RecordingChannel: Channel {
  private let first = Mutex<(method: MethodDescriptor, request: [UInt8])?>(nil)

  var call: (method: MethodDescriptor, request: [UInt8])? { first.withLock { $0 } }

  private struct NoAnswer: PendingCall {
    func answer() async throws(Status) -> Answer<[UInt8]> { throw Status(.cancelled, "this call is made elsewhere") }
  }

  func ask(_ method: MethodDescriptor, _ request: [UInt8], options: CallOptions) throws(Status) -> any PendingCall {
    note(method, request)
    return NoAnswer()
  }

  func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall {
    note(method, request ?? [])
    return NoStream()
  }

  private final class NoStream: OpenCall {
    private static let elsewhere = Status(.cancelled, "this call is made elsewhere")

    var trailingMetadata: Metadata { Metadata() }

    func sendAtOnce(_ message: [UInt8]) throws(Status) -> Bool { throw Self.elsewhere }
    func send(_ message: [UInt8]) async throws(Status) { throw Self.elsewhere }
    func finishSending() {}
    func nextAtOnce() throws(Status) -> ArraySlice<UInt8>? { throw Self.elsewhere }
    func next() async throws(Status) -> [UInt8]? { throw Self.elsewhere }
    func initialMetadata() async throws(Status) -> Metadata { throw Self.elsewhere }
    func cancel() {}
  }

  private func note(_ method: MethodDescriptor, _ request: [UInt8]) {
    first.withLock { $0 = $0 ?? (method, request) }
  }
}
