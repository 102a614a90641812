internal import Base
internal import Synchronization

/// A channel over a client machine, wherever that is hosted.
///
/// Inside a handler, calls inherit what remains of the deadline, the caller's identity, its priority and its trace, and
/// derive their idempotency keys from the handled call's, so that a repeat of it repeats them under the same keys.
public struct BusChannel: Channel {
  private let host: any ClientHost
  private let numbers: CallNumbers
  private let identity: CallerIdentity?
  private let interceptors: [any ClientInterceptor]

  package init(host: any ClientHost, interceptors: [any ClientInterceptor] = []) {
    self.init(host: host, numbers: CallNumbers(), identity: nil, interceptors: interceptors)
  }

  private init(
    host: any ClientHost, numbers: CallNumbers, identity: CallerIdentity?, interceptors: [any ClientInterceptor]
  ) {
    self.host = host
    self.numbers = numbers
    self.identity = identity
    self.interceptors = interceptors
  }

  /// The same channel, on whose calls a gateway sees this identity: believed only where the channel's own key vouches.
  public func acting(for identity: CallerIdentity) -> BusChannel {
    BusChannel(host: host, numbers: numbers, identity: identity, interceptors: interceptors)
  }

  public func unary(
    _ method: MethodDescriptor, _ request: [UInt8], options: CallOptions
  ) async throws(Status) -> Answer<[UInt8]> {
    let options = try prepare(method, options)
    let call = numbers.next()
    let wait = UnaryWait()
    let parent = CallContext.current
    let wish = clientRequest(method, request, options, call: call, parent: parent)
    let slot = parent?.slot
    slot?.waits()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.begin(continuation)
        host.submit(.open(call, wish, wait))
        // A cancellation that came before the call was known would be lost.
        if wait.isCancelled { host.submit(.cancel(call)) }
      }
    } onCancel: {
      wait.cancel()
      host.submit(.cancel(call))
    }
    slot?.resumes()
    switch outcome {
    case .success(let answer):
      finished(method, with: .ok)
      return answer
    case .failure(let status):
      finished(method, with: status)
      throw status
    }
  }

  public func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall {
    let call = numbers.next()
    let stream = ClientStream(method: method, call: call, host: host, interceptors: interceptors)
    do throws(Status) {
      let options = try prepare(method, options)
      let wish = clientRequest(method, request, options, call: call, parent: CallContext.current)
      host.submit(.open(call, wish, stream))
    } catch {
      stream.ended(error, last: nil)
    }
    return ClientStreamHandle(stream)
  }

  private func prepare(_ method: MethodDescriptor, _ options: CallOptions) throws(Status) -> CallOptions {
    var options = options
    for interceptor in interceptors { try interceptor.prepare(method, options: &options) }
    if let violation = options.metadata.violation { throw Status(.invalidArgument, violation) }
    return options
  }

  private func finished(_ method: MethodDescriptor, with status: Status) {
    for interceptor in interceptors { interceptor.finished(method, with: status) }
  }

  private func clientRequest(
    _ method: MethodDescriptor, _ request: [UInt8]?, _ options: CallOptions, call: UInt64, parent: CallContext?
  ) -> ClientRequest {
    var deadline = host.clock.monotonic + (options.deadline ?? Self.defaultDeadline)
    if let parent { deadline = min(deadline, parent.deadline) }
    var metadata = options.metadata
    if let inherited = parent?.metadata, !inherited.isEmpty {
      for name in Self.traceHeaders where metadata[name] == nil {
        for value in inherited.values(of: name) { metadata.appendUnchecked(key: name, value: value) }
      }
    }
    return ClientRequest(
      method: method, deadline: deadline, metadata: metadata,
      idempotencyKey: key(for: method, options.idempotencyKey, parent: parent, call: call),
      priority: options.priority ?? parent?.priority ?? .normal, waitsForReady: options.waitsForReady,
      caller: identity ?? parent?.identity, request: request)
  }

  private func key(
    for method: MethodDescriptor, _ wish: CallOptions.IdempotencyKey, parent: CallContext?, call: UInt64
  ) -> String {
    switch wish {
    case .none: return ""
    case .given(let key): return key
    case .automatic:
      if method.idempotency == .noSideEffects { return "" }
      let nested = parent?.nextNestedKey(for: method) ?? ""
      return nested.isEmpty ? numbers.key(of: call) : nested
    }
  }

  /// For calls whose caller does not say how long it waits.
  static let defaultDeadline = Duration.seconds(30)
  /// W3C trace context goes through.
  private static let traceHeaders = ["traceparent", "tracestate"]
}

/// Numbers the calls of one client.
private final class CallNumbers: Sendable {
  private let last = Atomic<UInt64>(0)
  /// Makes automatic idempotency keys unlike those of any other client.
  private let prefix = IdentifierSource().next() + "/"

  func key(of call: UInt64) -> String { prefix + String(call) }

  func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// The one task that waits for a unary answer.
private final class UnaryWait: CallSink, Sendable {
  typealias Outcome = Result<Answer<[UInt8]>, Status>

  private let state = Mutex(State())

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var initialMetadata: Metadata = [:]
    var message: [UInt8]?
    var isCancelled = false
  }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
    state.withLock { $0.continuation = continuation }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  func initialMetadata(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    state.withLock { $0.initialMetadata = metadata }
  }

  func message(_ message: [UInt8]) {
    state.withLock { $0.message = message }
  }

  func accepted(_ bytes: Int) {}

  func ended(_ status: Status, last: [UInt8]?) {
    let (continuation, message, initialMetadata) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, last ?? state.message, state.initialMetadata)
    }
    guard let continuation else { return }
    guard status.isOK else { return continuation.resume(returning: .failure(status)) }
    guard let message else {
      let status = Status(.internal, "the call ended well and without an answer")
      return continuation.resume(returning: .failure(status))
    }
    let answer = Answer(message: message, initialMetadata: initialMetadata, trailingMetadata: status.metadata)
    continuation.resume(returning: .success(answer))
  }
}
