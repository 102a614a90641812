import Base
import Bus
import CommonContract
import InteropContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Attempts at what somebody may not are on record, and cannot fill the log.
@Suite("Denied attempts", .timeLimit(.minutes(2))) struct DeniedTests {
  /// A handler that asks for what no role of a caller here admits to.
  private func channel(_ bench: PolicyBench, as subject: String, tenant: String = "clinic") -> BusChannel {
    let bus = InProcessBus()
    bus.serve([Closed(data: bench.data)], slots: 4)
    return bus.channel(
      for: CallerIdentity(kind: .person, tenant: tenant, subject: subject, device: "pad", grants: ["inspector@lung"]))
  }

  private func attempts(_ bench: PolicyBench, in tenant: String = "clinic") async throws -> [TrailEntry] {
    try await bench.recorded(.denied, in: tenant)
  }

  /// How often it is on record that somebody tried.
  private func count(_ bench: PolicyBench, by actor: String) async throws -> Int32 {
    try await attempts(bench).filter { $0.actor == actor }.reduce(0) { $0 + max(1, $1.count) }
  }

  private func attempt(_ channel: BusChannel, _ subject: String) async {
    let status = await status { _ = try await channel.ask(subject) }
    #expect(status?.code == .permissionDenied)
  }

  @Test("the first attempt is an event before the caller is told", arguments: TestEngine.allCases)
  func first(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { try $0.vault.put([7], as: "name", of: try Subject.named("bea")) }
    await attempt(channel(bench, as: "mallory"), "bea")
    let denied = try #require(try await attempts(bench).last)
    #expect(denied.actor == "mallory" && denied.callerKind == "person" && denied.deviceID == "pad")
    #expect(denied.method == "test.v1.Notes/Closed" && denied.studyID == "heart" && denied.subjectID == "bea")
    #expect(denied.capacity.isEmpty && denied.count == 0)
    // A name that a caller has made up is not written down: it might be somebody's.
    await attempt(channel(bench, as: "mallory"), "Wilhelmina")
    #expect(try await attempts(bench).last?.subjectID == "")
  }

  @Test("repeats within the time are one event more, with their number")
  func repeats() async throws {
    let bench = try await PolicyBench(countingRepeatsFor: .seconds(1))
    let mallory = channel(bench, as: "mallory")
    for _ in 0..<50 { await attempt(mallory, "bea") }
    let found = try await eventually("all are counted", await attempts(bench)) { found in
      found.reduce(0) { $0 + max(1, $1.count) } == 50
    }
    #expect(found.count < 25, "\(found.count) events for 50 attempts")
  }

  @Test("whoever invents things to ask for fills the log no faster")
  func flood() async throws {
    let bench = try await PolicyBench()
    let scope = bench.test.database.scope(.named("clinic"))
    let names = (0..<200).map { "person-\($0)" }
    try await scope.write { transaction in
      for name in names { try transaction.vault.put([7], as: "name", of: try Subject.named(name)) }
    }
    let mallory = channel(bench, as: "mallory")
    for name in names { await attempt(mallory, name) }
    let found = try await attempts(bench)
    #expect(found.count == 33 && found.last?.item == "several things")
    // Another caller's attempts are still told apart.
    await attempt(channel(bench, as: "eve"), "person-7")
    #expect(try await attempts(bench).last?.subjectID == "person-7")
    // And what the same one is shown is no attempt.
    #expect(try await bench.screen(as: "mallory").put("") == "seen")
    let look = try #require(try await bench.recorded(.read).last)
    #expect(look.actor == "mallory" && look.subjectID == "bea" && look.studyID == "heart" && look.item == "name")
  }

  @Test("an attempt that could not be written is on record once one can", arguments: TestEngine.allCases)
  func unwritten(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let mallory = channel(bench, as: "mallory")
    try await bench.withoutEvents { await attempt(mallory, "bea") }
    #expect(try await attempts(bench).isEmpty)
    await attempt(mallory, "bea")
    #expect(try await attempts(bench).contains { $0.count == 0 }, "it is no repeat of one that nobody knows of")
    #expect(try await count(bench, by: "mallory") == 2)
  }

  @Test("repeats are on record when their time is over, also where nobody calls any more")
  func silence() async throws {
    let bench = try await PolicyBench(countingRepeatsFor: .seconds(1))
    await attempt(channel(bench, as: "eve"), "bea")
    // In the middle of the time of another one's.
    try await Task.sleep(for: .milliseconds(500))
    let mallory = channel(bench, as: "mallory")
    for _ in 0..<20 { await attempt(mallory, "bea") }
    try await eventually("all are counted", await count(bench, by: "mallory")) { $0 == 20 }
  }

  @Test("repeats are on record when the process ends", arguments: TestEngine.allCases)
  func end(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let mallory = channel(bench, as: "mallory")
    for _ in 0..<20 { await attempt(mallory, "bea") }
    #expect(try await count(bench, by: "mallory") == 1)
    // What cannot be written is kept.
    try await bench.withoutEvents { await #expect(throws: DatabaseError.self) { try await bench.data.writeCounts() } }
    for _ in 0..<2 { try await bench.data.writeCounts() }
    #expect(try await count(bench, by: "mallory") == 20)
  }

  @Test("however many callers try something in one tenant, another one's are told apart, and so is who reads")
  func manyCallers() async throws {
    let bench = try await PolicyBench(countingRepeatsFor: .seconds(3600))
    let bus = InProcessBus()
    bus.serve([Closed(data: bench.data)], slots: 32)
    for first in stride(from: 0, to: 1024, by: 32) {
      await withTaskGroup(of: Void.self) { group in
        for number in first..<(first + 32) {
          // With a role elsewhere: otherwise the gateway refuses, which passes on a bounded number of attempts itself.
          let identity = CallerIdentity(
            kind: .person, tenant: "crowd", subject: "caller-\(number)", grants: ["inspector@lung"])
          group.addTask { await attempt(bus.channel(for: identity), "bea") }
        }
      }
    }
    await attempt(channel(bench, as: "mallory", tenant: "crowd"), "bea")
    let folded = try #require(try await attempts(bench, in: "crowd").last)
    #expect(folded.actor == "several callers" && folded.item == "several things", "\(folded)")
    await attempt(channel(bench, as: "mallory"), "bea")
    let denied = try #require(try await attempts(bench).last)
    #expect(denied.actor == "mallory" && denied.studyID == "heart" && denied.item.isEmpty)
    for tenant in ["crowd", "clinic"] {
      #expect(try await bench.screen(as: "ines", tenant: tenant).put("") == "seen")
      let look = try #require(try await bench.recorded(.read, in: tenant).last)
      #expect(look.actor == "ines" && look.subjectID == "bea" && look.studyID == "heart" && look.item == "name")
    }
  }
}

/// Open to inspectors of the study only.
private struct Closed: RPCService {
  static let method = MethodDescriptor(
    service: "test.v1.Notes", name: "Closed", kind: .unary, idempotency: .unknown,
    permissions: [MethodPermission([.inspector], at: .study)])
  static let descriptor = ServiceDescriptor(name: "test.v1.Notes", methods: [method], fingerprint: "")

  let data: ServiceDatabase

  var handlers: [MethodHandler] {
    [
      .unary(Self.method) { [data] (request: Payload, context) in
        let touched = AccessTarget.person(request.text, in: "heart")
        return try await data.read(context, of: touched) { _, _, _ in request }
      }
    ]
  }
}

extension BusChannel {
  fileprivate func ask(_ text: String) async throws -> String {
    try await unary(Closed.method, Payload(text: text), as: Payload.self, options: CallOptions()).message.text
  }
}
