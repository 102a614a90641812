internal import Base
public import RPC
internal import Synchronization

/// A channel that makes its calls through a client machine, whichever host runs that.
///
/// Inside a handler, calls inherit the rest of the deadline, the caller's identity and its trace. Their
/// idempotency keys are derived from the handled call's, so that a repeat of that call repeats them under the same
/// keys.
public final class BusChannel: Channel {
  private let host: any ClientHost
  private let numbers: CallNumbers
  /// The caller in whose name its calls are made; nil: inside a handler the caller of the handled call, elsewhere this
  /// process.
  private let identity: CallerIdentity?
  private let isVouching: Bool
  /// Whether calls go through the gateway that dispatched the call which the current task answers.
  private let staysAtGateway: Bool

  package convenience init(host: any ClientHost) {
    self.init(host: host, numbers: CallNumbers(), identity: nil)
  }

  private init(host: any ClientHost, numbers: CallNumbers, identity: CallerIdentity?, staysAtGateway: Bool = false) {
    self.staysAtGateway = staysAtGateway
    self.host = host
    self.numbers = numbers
    self.identity = identity
    isVouching = identity != nil
  }

  /// The same channel, with another caller for its calls: gateways believe it only if the channel's own key may name
  /// callers.
  public func acting(for identity: CallerIdentity) -> BusChannel {
    BusChannel(host: host, numbers: numbers, identity: identity)
  }

  /// The same channel for calls in the name of the caller of a call that this process has in hand. They go through that
  /// call's gateway: since it knows that the process has the call, it lets a key that vouches for `callers` name this
  /// caller, and to read only.
  public func acting(forCallerOf context: CallContext) -> BusChannel {
    BusChannel(host: host, numbers: numbers, identity: context.identity, staysAtGateway: true)
  }

  public func ask(
    _ method: MethodDescriptor, _ request: [UInt8], options: CallOptions
  ) throws(Status) -> any PendingCall {
    let parent = CallContext.current
    let wish = try self.request(method, request, options, parent: parent, numbers.next(), sink: nil)
    if !host.submit(.open(wish)) { wish.answer.ended(Client.channelClosed.unstarted, last: nil) }
    return UnaryCall(wish, through: host, parent: parent)
  }

  public func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall {
    let number = numbers.next()
    let stream = ClientStream(method: method, call: number, host: host)
    do throws(Status) {
      let wish = try self.request(method, request, options, parent: CallContext.current, number, sink: stream)
      if !host.submit(.open(wish)) { stream.ended(Client.channelClosed.unstarted, last: nil) }
    } catch {
      stream.ended(error, last: nil)
    }
    return ClientStreamHandle(stream)
  }

  /// The call as it is submitted.
  private func request(
    _ method: MethodDescriptor, _ request: [UInt8]?, _ options: CallOptions, parent: CallContext?, _ number: UInt64,
    sink: (any CallSink)?
  ) throws(Status) -> ClientRequest {
    if let violation = options.metadata.violation { throw Status(.invalidArgument, violation).unstarted }
    let extra = self.extra(options, parent)
    // Checked here because a gateway would refuse the call, or its OPEN could not even be encoded.
    if let weight = extra?.plainCaller.count, weight > BusLimits.largestCaller {
      let message = "the caller weighs \(weight) bytes with its roles; at most \(BusLimits.largestCaller) may travel"
      throw Status(.invalidArgument, message).unstarted
    }
    let key = self.key(for: method, options.idempotencyKey, parent: parent, call: number)
    let limit = BusLimits.longestIdempotencyKey
    guard key.utf8.count <= limit else {
      throw Status(
        .invalidArgument, "the idempotency key has \(key.utf8.count) bytes; at most \(limit) may travel"
      ).unstarted
    }
    let now = host.now
    var deadline = MonotonicTime(nanoseconds: now.nanoseconds + Self.defaultNanoseconds)
    if let wanted = options.deadline { deadline = now + wanted }
    if let parent { deadline = min(deadline, parent.deadline) }
    return ClientRequest(
      number, method: method, deadline: deadline,
      idempotencyKey: key, request: request, extra: extra,
      gateway: staysAtGateway ? parent?.gateway ?? "" : "", sink: sink)
  }

  private func extra(_ options: CallOptions, _ parent: CallContext?) -> Envelope.Extra? {
    if parent == nil, !isVouching, options.metadata.isEmpty, !options.waitsForReady { return nil }
    var metadata = options.metadata
    if let inherited = parent?.metadata, !inherited.isEmpty {
      for name in Self.traceHeaders where metadata[name] == nil {
        for value in inherited.values(of: name) { metadata.appendUnchecked(key: name, value: value) }
      }
    }
    return Envelope.Extra(
      metadata: metadata, caller: identity ?? parent?.identity, waitsForReady: options.waitsForReady)
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

  /// For calls without a deadline.
  private static var defaultNanoseconds: Int64 { 30_000_000_000 }
  /// The headers of W3C trace context, which calls inherit from the handled call.
  private static let traceHeaders = ["traceparent", "tracestate"]
}

/// Draws the numbers of one client's calls.
private final class CallNumbers: Sendable {
  private let last = Atomic<UInt64>(0)
  private let keys = CallKeys(prefix: IdentifierSource().next())

  /// An idempotency key for the call, unique among the keys of all clients.
  func key(of call: UInt64) -> String { keys.key(of: call) }

  func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
