import Base
import Bus
import Face
import GatewayContract
import HTTPFace
import HealthContract
import Interop
import RPC
import TestSupport
import Testing
import Wire

/// Several calls in one.
@Suite(.timeLimit(.minutes(1))) struct BatchTests {
  private static let echo = "assent.interop.v1.InteropService/EchoMixed"
  private static let unary = "assent.interop.v1.InteropService/UnaryCall"

  /// Sends a batch through the HTTP door, with the key of a device.
  private func outcomes(
    _ calls: [BatchCall], on bench: HTTPBench, headers: [(String, String)] = []
  ) async throws -> [BatchAnswer] {
    let (response, body) = try await send(calls, on: bench, headers: headers)
    #expect(response == 200, "\(body.text)")
    let answers = try BatchResponse(json: body).answers
    try #require(answers.count == calls.count)
    return answers
  }

  private func send(
    _ calls: [BatchCall], on bench: HTTPBench, headers: [(String, String)] = []
  ) async throws -> (status: Int, body: [UInt8]) {
    let head = HTTPBench.head(
      "POST", "/assent.gateway.v1.GatewayService/Batch",
      [("Content-Type", "application/json"), ("Authorization", "Bearer \(HTTPBench.key)")] + headers)
    let (response, body) = await bench.answer(head, try BatchRequest(calls: calls).json())
    return (response.status, body)
  }

  private func call(_ method: String, _ request: String = "", key: String = "") -> BatchCall {
    BatchCall(method: method, request: request, idempotencyKey: key)
  }

  @Test("calls have their own answers, in the order of the calls")
  func answers() async throws {
    let bench = try HTTPBench()
    let answers = try await outcomes(
      [
        call(Self.unary, #"{"responseSize": 3, "fillCaller": true, "sleepMs": 30}"#), call("/" + Self.unary),
        call(Self.echo, #"{"message": {"id": "r-1"}}"#),
      ], on: bench)
    #expect(answers[0].response == #"{"payload":{"body":"AAAA"},"caller":"acme/kiosk","instance":"one"}"#)
    #expect(answers[1].response == #"{"payload":{},"instance":"one"}"#)
    #expect(answers[2].response == #"{"message":{"id":"r-1"}}"#)
  }

  @Test(
    "a reference brings in what an earlier call answered",
    arguments: [
      ("$0.message.id", "id", #"{"message":{"id":"r-\"1\""}}"#),
      ("$0.message.roles.1", "id", #"{"message":{"id":"physician"}}"#),
      ("$0.message.notes.en", "id", #"{"message":{"id":"Note, {with} [\"signs\"]"}}"#),
      ("$0.message.created_at", "createdAt", #"{"message":{"createdAt":"2026-01-31T09:30:00Z"}}"#),
      ("$0.message.createdAt", "createdAt", #"{"message":{"createdAt":"2026-01-31T09:30:00Z"}}"#),
      ("$0.message.revision", "revision", #"{"message":{"revision":"7"}}"#),
      ("$0.message.cover", "cover", #"{"message":{"cover":{"title":"Cover","position":{"x":1.5,"y":2.0}}}}"#),
      ("$0.message.cover.position.y", "revision", #"{"message":{"revision":"2"}}"#),
      ("$0.message.kind", "kind", #"{"message":{"kind":"MIXED_KIND_FIRST"}}"#),
      ("$$0.message", "id", #"{"message":{"id":"$0.message"}}"#),
    ])
  func references(reference: String, field: String, expected: String) async throws {
    let source = #"""
      {"message": {"id": "r-\"1\"", "kind": "MIXED_KIND_FIRST", "revision": 7, "createdAt": "2026-01-31T09:30:00Z",
       "roles": ["nurse", "physician"], "cover": {"title": "Cover", "position": {"x": 1.5, "y": 2}},
       "notes": {"de": "Notiz", "en": "Note, {with} [\"signs\"]"}}}
      """#
    let answers = try await outcomes(
      [call(Self.echo, source), call(Self.echo, #"{ "message" : {"\#(field)" : "\#(reference)" } }"#)],
      on: try HTTPBench())
    #expect(answers[1].response == expected, "\(answers[1].message)")
  }

  @Test("fields that an answer leaves out have their defaults, and messages and elements are missing")
  func leftOut() async throws {
    let answers = try await outcomes(
      [
        call(Self.echo, #"{"message": {"cover": {}}}"#),
        call(Self.echo, #"{"message": {"id": "$0.message.cover.title", "kind": "$0.message.kind"}}"#),
        call(Self.echo, #"{"message": {"roles": "$0.message.roles", "revision": "$0.message.revision"}}"#),
        call(Self.echo, #"{"message": {"id": "$0.message.roles.0"}}"#),
        call(Self.echo, #"{"message": {"revision": "$0.message.cover.position.x"}}"#),
      ], on: try HTTPBench())
    #expect(answers[1].response == #"{"message":{}}"#)
    #expect(answers[2].response == #"{"message":{}}"#)
    for answer in answers[3...] {
      #expect(answer.code == StatusCode.failedPrecondition.rawValue)
      #expect(answer.message.hasPrefix("not_run: the answer of call 0 has no '$0.message."))
    }
  }

  @Test("a chain of references runs in its order, beside calls that refer to nothing")
  func chain() async throws {
    var calls = [call(Self.echo, #"{"message": {"id": "first"}}"#)]
    for place in 1..<BatchPlan.mostCalls {
      calls.append(call(Self.echo, #"{"message": {"id": "$\#(place - 1).message.id"}}"#))
    }
    let answers = try await outcomes(calls, on: try HTTPBench())
    #expect(answers.allSatisfy { $0.response == #"{"message":{"id":"first"}}"# })
  }

  @Test(
    "a batch that is not well formed makes no call",
    arguments: [
      ([("UnaryCall", #"{"payload": "$0.payload"}"#)], "calls[0]: '$0.payload' must refer to a call before"),
      (
        [("EchoMixed", #"{"message": {"id": "$1.message.id"}}"#), ("EchoMixed", "{}")],
        "calls[0]: '$1.message.id' must refer to a call before this one; there are 0"
      ),
      (
        [("EchoMixed", "{}"), ("EchoMixed", #"{"message": {"id": "$0.message.idd"}}"#)],
        "has no field 'idd'; did you mean 'id'?"
      ),
      ([("EchoMixed", "{}"), ("EchoMixed", #"{"message": "$0.message.roles.x"}"#)], "'roles' is a list"),
      (
        [("EchoMixed", "{}"), ("EchoMixed", #"{"message": "$0.message.id.x"}"#)], "nothing inside the value before 'x'"
      ),
      ([("EchoMixed", #"{"message": {"id": "$5 off"}}"#)], "a text that begins with $ is written with $$"),
      ([("EchoMixed", "{}"), ("EchoMixed", #"{"message": "$0..id"}"#)], "must be $, the place of a call and names"),
      ([("EchoMixt", "{}")], "calls[0]: assent.interop.v1.InteropService has no method 'EchoMixt'; did you mean"),
      ([("StreamingOutputCall", "{}")], "streams; a batch takes methods with one request and one answer"),
      ([], "calls must be 1 to 64, and are 0"),
      ([(String, String)](repeating: ("EmptyCall", ""), count: 65), "calls must be 1 to 64, and are 65"),
    ] as [([(String, String)], String)])
  func malformed(calls: [(String, String)], expected: String) async throws {
    let batch = calls.map { call("assent.interop.v1.InteropService/\($0.0)", $0.1) }
    let (status, body) = try await send(batch, on: try HTTPBench())
    #expect(status == 400)
    #expect(body.text.contains(#""code":"invalid_argument""#))
    #expect(body.text.contains(expected), "\(body.text)")
  }

  @Test("a batch costs little before anything is known of its caller, whatever it asks")
  func boundedPlan() throws {
    let catalogue = try Catalogue.builtIn()
    let first = BatchWish(method: "assent.consent.v1.SessionService/StartSession")
    func refusal(of request: String) -> String? {
      let wish = BatchWish(method: Self.echo, request: request)
      let error = #expect(throws: Status.self) { try BatchPlan([first, wish], of: catalogue) }
      return error?.message
    }
    let word = String(repeating: "q", count: 1_000_000)
    let start = processorTime
    #expect(refusal(of: #""$0.session.\#(word)""#)?.contains("a reference has at most 1024") == true)
    #expect(refusal(of: #""$0.session.\#(word.prefix(1_000))""#)?.contains("has no field 'qqq") == true)
    for text in [#""$0" "#, #""$$0" "#] {
      let many = String(repeating: text, count: BatchPlan.mostMarked + 1)
      #expect(refusal(of: many)?.contains("calls[1]: more than 1000 texts of the batch begin with $") == true)
    }
    #expect(refusal(of: word + word)?.contains("the requests have 2000000 bytes together") == true)
    #expect(processorTime - start < .seconds(2))
  }

  @Test("texts that begin with $ are counted over the whole batch")
  func countedMarks() throws {
    let catalogue = try Catalogue.builtIn()
    let texts = [String](repeating: #""$$5""#, count: 500).joined(separator: ",")
    let wish = BatchWish(method: Self.echo, request: "[\(texts)]")
    #expect(throws: Never.self) { try BatchPlan([wish, wish], of: catalogue) }
    #expect(throws: Status.self) {
      try BatchPlan([wish, wish, BatchWish(method: Self.echo, request: #""$$5""#)], of: catalogue)
    }
  }

  @Test("references do not look through a large answer without end")
  func searches() async throws {
    let many = [String](repeating: #""$0.instance""#, count: 900).joined(separator: ",")
    let answers = try await outcomes(
      [
        call(Self.unary, #"{"responseSize": 1048576}"#), call(Self.echo, #"{"message": {"roles": [\#(many)]}}"#),
        call(Self.echo, #"{"message": {"roles": ["$0.instance"]}}"#),
      ], on: try HTTPBench())
    #expect(answers[1].code == StatusCode.invalidArgument.rawValue)
    #expect(answers[1].message.hasPrefix("not_run: the answers that references of this request look through"))
    #expect(answers[2].response == #"{"message":{"roles":["one"]}}"#)
  }

  @Test("batches do not nest, whatever a call inside says")
  func nested() async throws {
    let batch = [call("assent.gateway.v1.GatewayService/Batch", #"{"calls": []}"#)]
    let (status, body) = try await send(batch, on: try HTTPBench())
    #expect(status == 400)
    #expect(body.text.contains("calls[0]: batches do not nest"))
  }

  @Test("the address of a file is made by a call of its own, whose bounds the door knows")
  func addresses() async throws {
    let methods = ["Batch", "CreateDownload"].map { "assent.gateway.v1.GatewayService/\($0)" }
    let bench = try HTTPBench(scopes: methods)
    // The key's scopes do not cover what the address would be good for.
    let wish = #"{"method": "assent.signature.v1.RenderService/Render", "lifetimeMs": 1000}"#
    let (status, body) = try await send([call(methods[1], wish)], on: bench)
    #expect(status == 400)
    #expect(body.text.contains("bad_batch: calls[0]: ") && body.text.contains("call it outside of a batch"))
    let device = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
    let client = GatewayServiceClient(bench.bus.channel(for: device))
    let request = BatchRequest(calls: [call("/" + methods[1], wish)])
    let error = await #expect(throws: Status.self) { try await client.batch(request) }
    #expect(error?.code == .invalidArgument && error?.message.contains("call it outside of a batch") == true)
  }

  @Test("a call that fails has its own status, and those that need its answer do not run")
  func failing() async throws {
    let answers = try await outcomes(
      [
        call(Self.unary, #"{"responseStatus": {"code": 5, "message": "no \"way\""}}"#),
        call(Self.unary, #"{"payload": "$0.payload"}"#), call(Self.unary, #"{"responseSise": 3}"#),
        call(Self.unary, "{"), call(Self.unary, #"{"responseSize": 1}"#),
      ], on: try HTTPBench())
    #expect(answers[0].code == StatusCode.notFound.rawValue)
    #expect(answers[0].message == #"no "way""#)
    #expect(answers[1].code == StatusCode.failedPrecondition.rawValue)
    #expect(answers[1].message == "not_run: '$0.payload' is not there, for call 0 did not end well")
    #expect(answers[2].code == StatusCode.invalidArgument.rawValue)
    #expect(answers[2].message.contains("responseSise"))
    #expect(answers[3].code == StatusCode.invalidArgument.rawValue)
    #expect(answers[4].code == 0)
  }

  @Test("no call has more rights than its caller")
  func rights() async throws {
    let answers = try await outcomes(
      [call("assent.gateway.v1.GatewayService/ListInstances"), call("grpc.health.v1.Health/Check"), call(Self.unary)],
      on: try HTTPBench())
    #expect(answers.map(\.code) == [Int32(StatusCode.permissionDenied.rawValue), 0, 0])
  }

  @Test("nothing is done for a call that its caller may not make: what it refers to is not looked up")
  func refusedBeforehand() async throws {
    let answers = try await outcomes(
      [
        call(Self.unary, #"{"responseStatus": {"code": 5}}"#),
        call("assent.gateway.v1.GatewayService/ListInstances", #"{"service": "$0.instance"}"#),
      ], on: try HTTPBench())
    #expect(answers.map(\.code) == [StatusCode.notFound, .permissionDenied].map { Int32($0.rawValue) })
  }

  @Test("the scopes of a key hold for the calls inside")
  func scopes() async throws {
    let bench = try HTTPBench(scopes: ["assent.gateway.v1.GatewayService/Batch", Self.echo])
    let answers = try await outcomes([call(Self.unary), call(Self.echo)], on: bench)
    #expect(answers[0].code == StatusCode.permissionDenied.rawValue)
    #expect(answers[0].message.hasPrefix("out_of_scope"))
    #expect(answers[1].code == 0)
  }

  @Test("a stranger's batch can make what strangers can call, and nothing else")
  func stranger() async throws {
    let bench = try HTTPBench()
    let request = BatchRequest(calls: [call("grpc.health.v1.Health/Check"), call(Self.unary)])
    let (response, body) = await bench.answer(
      HTTPBench.head(
        "POST", "/assent.gateway.v1.GatewayService/Batch",
        [("Content-Type", "application/json"), ("assent-ticket", String(repeating: "0", count: 32))]),
      try request.json())
    #expect(response.status == 200)
    #expect(try BatchResponse(json: body).answers.map(\.code) == [0, Int32(StatusCode.unauthenticated.rawValue)])
  }

  @Test("each call counts against the caller's limit")
  func limits() async throws {
    let bench = try HTTPBench(rates: .init(perCredential: 2))
    let answers = try await outcomes([BatchCall](repeating: call(Self.unary), count: 60), on: bench)
    let refused = answers.filter { $0.code == StatusCode.resourceExhausted.rawValue }
    #expect(answers.contains { $0.code == 0 })
    #expect(refused.count > 30)
    #expect(refused.allSatisfy { $0.message.hasPrefix("too_many_calls") && $0.retryAfterMs > 0 })
  }

  @Test("what has ended within the batch's deadline is answered, and the rest says that it was late")
  func deadline() async throws {
    let answers = try await outcomes(
      [call(Self.unary), call(Self.unary, #"{"sleepMs": 60000}"#)], on: try HTTPBench(),
      headers: [("Connect-Timeout-Ms", "3000")])
    #expect(answers.map(\.code) == [0, Int32(StatusCode.deadlineExceeded.rawValue)])
  }

  /// Occupies the only thread of a pool until it is told to leave.
  private final class Obstacle: Sendable {
    private let workshop: Workshop<Bool>
    private let queue = BlockingQueue<Void>()

    init(in pool: DoorPool) async {
      workshop = Workshop(on: pool) {}
      let (stands, standing) = AsyncStream.makeStream(of: Void.self)
      workshop.start(1, for: "other") { [queue] () throws(Status) in
        standing.finish()
        _ = queue.pop()
        return true
      }
      for await _ in stands {}
    }

    func leave() { queue.close() }
  }

  @Test("a batch that waits for its turn to be read keeps no slot: other calls of the gateway are answered")
  func slotWhileWaiting() async throws {
    let pool = DoorPool(threads: 1)
    let obstacle = await Obstacle(in: pool)
    defer { obstacle.leave() }
    let bus = InProcessBus()
    let maker = CallMaker(
      bus.channel(), try Catalogue.builtIn(), Gatekeeper([]), downloads: nil, clock: .system, pool: pool)
    bus.serve([InteropHandlers(instance: "one")])
    let seen = SeenKeys()
    bus.serve([seen.calls(of: BatchService(maker: maker)), HTTPBench.Healthy()], slots: 1)
    let device = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
    let long = String(repeating: "x", count: 20_000)
    let request = BatchRequest(calls: [call(Self.echo, #"{"message": {"id": "\#(long)"}}"#)])
    async let response = GatewayServiceClient(bus.channel(for: device)).batch(request)
    try await eventually("the batch has begun", !seen.keys.isEmpty)
    _ = try await HealthClient(bus.channel(for: device)).check(HealthCheckRequest(), deadline: .seconds(20))
    obstacle.leave()
    #expect(try await response.answers.map(\.code) == [0])
  }

  @Test("over the bus a ticket that nobody has issued is refused, and none is needed")
  func tickets() async throws {
    let bench = try HTTPBench()
    let device = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
    let client = GatewayServiceClient(bench.bus.channel(for: device))
    let request = BatchRequest(calls: [call(Self.unary), call("assent.gateway.v1.GatewayService/ListInstances")])
    let answers = try await client.batch(request).answers
    #expect(answers.map(\.code) == [0, Int32(StatusCode.permissionDenied.rawValue)])
    let error = await #expect(throws: Status.self) {
      try await client.batch(request, options: CallOptions(metadata: ["assent-ticket": "0123"]))
    }
    #expect(error?.message.hasPrefix("ticket_void") == true)
  }

  @Test("a repeat of a batch repeats its calls under the same keys, calls keep their own, and none has a ticket")
  func keys() async throws {
    let seen = SeenKeys()
    let bus = InProcessBus()
    bus.serve([seen.calls(of: InteropHandlers(instance: "one"))])
    let catalogue = try Catalogue.builtIn()
    let plan = try BatchPlan(
      [BatchWish(method: Self.unary), BatchWish(method: Self.unary, idempotencyKey: "mine")], of: catalogue)
    let now = Clock.system.monotonic
    for _ in 0..<2 {
      let run = BatchRun(
        bus.channel(), pool: DoorPool(threads: 1), for: "acme", clock: .system, deadline: now + .seconds(60),
        key: "batch-1"
      ) { _ in }
      _ = await run.outcomes(of: plan)
    }
    let keys = seen.keys
    #expect(keys.count == 4)
    #expect(keys.count { $0 == "mine" } == 2)
    #expect(Set(keys).count == 2)
    // Whoever wants a ticket takes none of these calls for one that came by the bus's own door.
    for metadata in seen.metadata {
      let error = #expect(throws: Status.self) { try Gatekeeper([]).tickets.redeem(metadata) }
      #expect(error?.message.hasPrefix("ticket_void") == true)
    }
  }
}
