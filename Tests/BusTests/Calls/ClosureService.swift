import Base
import InteropContract
import RPC
import Synchronization
import Wire

/// A service whose methods are closures of a test.
struct ClosureService: RPCService {
  static let outer = method("Outer", .unary, .unknown)
  static let inner = method("Inner", .unary, .unknown)
  static let look = method("Look", .unary, .noSideEffects)
  static let count = method("Count", .serverStreaming, .noSideEffects)
  static let talk = method("Talk", .bidirectionalStreaming, .unknown)

  static let descriptor = ServiceDescriptor(
    name: "test.v1.Closures", methods: [outer, inner, look, count, talk], fingerprint: "")

  typealias Unary = @Sendable (Payload, CallContext) async throws -> Payload
  var outer: Unary = { request, _ in request }
  var inner: Unary = { request, _ in request }
  var look: Unary = { request, _ in request }
  var count: @Sendable (CallContext, ResponseWriter<Payload>) async throws -> Void = { _, _ in }
  var talk: @Sendable (RequestStream<Payload>, ResponseWriter<Payload>) async throws -> Void = { _, _ in }

  var handlers: [MethodHandler] {
    [
      .unary(Self.outer, outer), .unary(Self.inner, inner), .unary(Self.look, look),
      .serverStreaming(Self.count) { [count] (_: Payload, context, responses) in try await count(context, responses) },
      .bidirectional(Self.talk) { [talk] requests, _, responses in try await talk(requests, responses) },
    ]
  }

  private static func method(
    _ name: String, _ kind: MethodDescriptor.Kind, _ idempotency: MethodDescriptor.Idempotency
  ) -> MethodDescriptor {
    MethodDescriptor(
      service: "test.v1.Closures", name: name, kind: kind, idempotency: idempotency, permissions: .anyone)
  }
}

extension Channel {
  func ask(
    _ method: MethodDescriptor, _ text: String = "", options: CallOptions = CallOptions()
  ) async throws(Status) -> String {
    try await unary(method, Payload(text: text), as: Payload.self, options: options).message.text
  }
}

extension Payload {
  init(text: String) {
    self.init()
    body = Array(text.utf8)
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Collects what handlers see; a test can wait for it.
final class Notes: Sendable {
  private let state = Mutex<(all: [String], waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)])>(
    ([], []))

  var all: [String] { state.withLock(\.all) }

  func add(_ note: String) {
    let ready = state.withLock { state in
      state.all.append(note)
      let ready = state.waiting.filter { $0.count <= state.all.count }
      state.waiting.removeAll { $0.count <= state.all.count }
      return ready.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  /// All notes, as soon as there are `count` of them.
  func wait(for count: Int = 1) async -> [String] {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.all.count < count else { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
    return all
  }
}
