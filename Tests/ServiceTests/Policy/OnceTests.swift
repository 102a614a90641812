import CommonContract
import InteropContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Synchronization
import Testing

@Suite("Changing something once", .timeLimit(.minutes(2))) struct OnceTests {
  /// Stores a note named by the request, and answers how many there are.
  private func keeping(_ bench: PolicyBench) -> NoteService.Answering {
    { request, context in
      try await bench.data.once(request, context, of: .tenant) { transaction, _, _ in
        try transaction.keep(request.text)
        return Payload(text: "\(try transaction.notes().count)")
      }
    }
  }

  @Test("a repeat under the same key gets the first answer and changes nothing", arguments: TestEngine.allCases)
  func repeated(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let channel = bench.channel(put: keeping(bench))
    #expect(try await channel.put("a", key: "k1") == "1")
    #expect(try await channel.put("b", key: "k2") == "2")
    #expect(try await channel.put("a", key: "k1") == "1")
    let (notes, events) = try await bench.test.database.scope(.named("clinic")).read {
      (try $0.notes(), try $0.events(after: 0).count)
    }
    #expect(notes == ["a", "b"] && events == 2)
  }

  @Test("a different request under the same key is refused", arguments: TestEngine.allCases)
  func reused(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let channel = bench.channel(put: keeping(bench))
    _ = try await channel.put("a", key: "k1")
    let refusal = await status { _ = try await channel.put("b", key: "k1") }
    #expect(refusal?.code == .invalidArgument && refusal?.info?.rule == "key_reused")
  }

  @Test("the same key of another caller or another tenant is another key")
  func othersKeys() async throws {
    let bench = try await PolicyBench()
    #expect(try await bench.channel(as: "ana", put: keeping(bench)).put("a", key: "k1") == "1")
    #expect(try await bench.channel(as: "bea", put: keeping(bench)).put("b", key: "k1") == "2")
    #expect(try await bench.channel(tenant: "other", put: keeping(bench)).put("c", key: "k1") == "1")
  }

  @Test("a failed change stores no answer: the same key may try again", arguments: TestEngine.allCases)
  func failed(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let gate = Gate()
    let channel = bench.channel { request, context in
      try await bench.data.once(request, context, of: .tenant) { transaction, _, _ in
        try transaction.keep(request.text)
        guard gate.isOpen else { throw Refusal(.precondition, "not_yet", "not yet") }
        return request
      }
    }
    #expect(await status { _ = try await channel.put("a", key: "k") }?.code == .failedPrecondition)
    gate.open()
    #expect(try await channel.put("a", key: "k") == "a")
  }

  @Test("an answer that could not be read is refused, and its change is not made", arguments: ["k", ""])
  func unreadable(key: String) async throws {
    let bench = try await PolicyBench()
    let channel = bench.channel { request, context in
      try await bench.data.once(request, context, of: .tenant) { transaction, _, _ in
        #expect(context.idempotencyKey == key)
        try transaction.keep(request.text)
        return Payload(text: String(repeating: "a", count: 32 << 20))
      }
    }
    var options = CallOptions()
    options.idempotencyKey = key.isEmpty ? .none : .given(key)
    let refusal = await status { [options] in
      _ = try await channel.unary(NoteService.put, Payload(text: "a"), as: Payload.self, options: options)
    }
    #expect(refusal?.code == .invalidArgument && refusal?.info?.rule == "too_large")
    let notes = try await bench.test.database.scope(.named("clinic")).read { try $0.notes() }
    #expect(notes.isEmpty)
  }

  @Test("a stored answer is erased with the subject that the change concerns", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let ana = try Subject.named("ana")
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { try $0.vault.put([1], as: "name", of: ana) }
    let channel = bench.channel { request, context in
      try await bench.data.once(request, context, of: .tenant) { transaction, _, _ in
        transaction.concern(ana)
        return Payload(text: "told of ana")
      }
    }
    #expect(try await channel.put("a", key: "k") == "told of ana")
    #expect(try await channel.put("a", key: "k") == "told of ana")
    try await scope.write { try $0.vault.erase(ana, by: "test", reason: "request") }
    let refusal = await status { _ = try await channel.put("a", key: "k") }
    #expect(refusal?.code == .failedPrecondition && refusal?.info?.rule == "subject_erased")
  }

  @Test("a caller without a tenant is refused before anything is read")
  func noTenant() async throws {
    let bench = try await PolicyBench()
    let refusal = await status { _ = try await bench.channel(tenant: "", put: keeping(bench)).put("a") }
    #expect(refusal?.code == .permissionDenied && refusal?.info?.rule == "no_tenant")
  }
}

private final class Gate: Sendable {
  private let state = Mutex(false)

  var isOpen: Bool { state.withLock { $0 } }

  func open() { state.withLock { $0 = true } }
}
