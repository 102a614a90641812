import Bus
import CommonContract
import InteropContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Synchronization
import Wire

/// A small service on a real database, called over the in-process bus: each test defines its methods.
struct PolicyBench: Sendable {
  let test: TestDatabase
  let data: ServiceDatabase
  private let faults = FaultLog()

  init(_ engine: TestEngine = .sqlite, countingRepeatsFor repeats: Duration = .seconds(60)) async throws {
    test = try await engine.makeDatabase(
      named: "policy", migrations: NoteTable.migrations, statements: NoteTable.statements)
    data = ServiceDatabase(test.database, countingRepeatsFor: repeats)
  }

  /// The events in the service's log.
  var loggedFaults: [String] { faults.all }

  func channel(
    _ kind: CallerKind = .person, as subject: String = "ana", tenant: String = "clinic",
    grants: [String] = [], slots: Int = 4,
    watch: @escaping NoteService.Watching = { _, _ in },
    put: @escaping NoteService.Answering
  ) -> BusChannel {
    let bus = InProcessBus()
    bus.serve([NoteService(put: put, watch: watch)], slots: slots) { [faults] error, _, _ in faults.add("\(error)") }
    let identity = CallerIdentity(kind: kind, tenant: tenant, subject: subject, device: "pad", grants: grants)
    return kind == .service ? bus.channel().acting(for: identity) : bus.channel(for: identity)
  }

  /// A screen that shows what is stored about "bea", and asks for it again and again.
  func screen(as reader: String, tenant: String = "clinic", slots: Int = 4) -> BusChannel {
    channel(as: reader, tenant: tenant, slots: slots) { [data] _, context in
      let touched = AccessTarget.person("bea", in: "heart")
      return try await data.disclose(context, of: { _, _ in touched }) { _, _, disclosure in
        disclosure.noteLook(at: "name", of: touched, for: "visit")
        return Payload(text: "seen")
      }
    }
  }

  /// What is on record of readings, or of denied attempts.
  func recorded(_ kind: TrailKind, in tenant: String = "clinic") async throws -> [TrailEntry] {
    try await test.database.scope(.named(tenant)).read { snapshot in
      try snapshot.events(after: 0, limit: 10_000).compactMap { try $0.access() }.filter { $0.kind == kind }
    }
  }

  /// Runs something while no event can be written.
  func withoutEvents(_ body: () async throws -> Void) async throws {
    let (table, away) = ("storage_events", "storage_events_away")
    try await test.location.alter("ALTER TABLE \(table) RENAME TO \(away)", schema: test.schema.name)
    try await body()
    try await test.location.alter("ALTER TABLE \(away) RENAME TO \(table)", schema: test.schema.name)
  }

  /// The status that a caller gets for a handler's error.
  func status(of error: any Error) async -> Status? {
    await ServicePolicyTests.status { _ = try await channel { _, _ in throw error }.put("") }
  }
}

private final class FaultLog: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

struct NoteService: RPCService {
  typealias Answering = @Sendable (Payload, CallContext) async throws -> Payload
  typealias Watching = @Sendable (CallContext, ResponseWriter<Payload>) async throws -> Void

  static let put = MethodDescriptor(
    service: "test.v1.Notes", name: "Put", kind: .unary, idempotency: .unknown, permissions: .anyone)
  static let watch = MethodDescriptor(
    service: "test.v1.Notes", name: "Watch", kind: .serverStreaming, idempotency: .noSideEffects, permissions: .anyone)
  static let descriptor = ServiceDescriptor(name: "test.v1.Notes", methods: [put, watch], fingerprint: "")

  let put: Answering
  let watch: Watching

  var handlers: [MethodHandler] {
    [
      .unary(Self.put, put),
      .serverStreaming(Self.watch) { [watch] (_: Payload, context, responses) in try await watch(context, responses) },
    ]
  }
}

extension BusChannel {
  /// Calls the service once, under a key if one is given.
  func put(_ text: String, key: String = "") async throws -> String {
    var options = CallOptions()
    if !key.isEmpty { options.idempotencyKey = .given(key) }
    return try await unary(NoteService.put, Payload(text: text), as: Payload.self, options: options).message.text
  }

  func watch() throws -> ResponseStream<Payload> {
    try serverStream(NoteService.watch, Payload(), options: CallOptions())
  }
}

extension Payload {
  init(text: String) {
    self.init()
    body = Array(text.utf8)
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension Status {
  /// The status's detail for programs.
  var info: ErrorInfo? {
    details.first { $0.typeName == ErrorInfo.messageName }.flatMap { try? ErrorInfo(decoding: $0.value) }
  }
}

/// The status that a call ends with; nil when it succeeds.
func status(of call: () async throws -> Void) async -> Status? {
  do {
    try await call()
    return nil
  } catch {
    return error as? Status
  }
}
