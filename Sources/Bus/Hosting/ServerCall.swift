package import Base
package import RPC
internal import Synchronization

/// A call that a handler answers.
package final class ServerCall: IncomingCall, HandledCall, Sendable {
  package let request: [UInt8]?
  let start: WorkerStart
  private let number: UInt64
  private let served: ServedMethod
  private let host: any WorkerHost
  /// The state of a call with streams; nil for one with one request and one answer.
  private let flow: Flow?
  /// nil unless the call is traced.
  private let databaseTime: DatabaseTime?
  private let state = Mutex(State())

  private struct State {
    var task: CallTask?
    var cancelledBecause: Status?
    /// Metadata that the handler wants to send with its messages.
    var initialMetadata: Metadata?
    /// The size of the metadata that went with earlier messages.
    var sentMetadata = 0
    var trailingMetadata: Metadata?
    /// The size of metadata that exceeded the bound and was dropped; 0 when none did.
    var excess = 0
    var nestedNumbers: [String: Int] = [:]
    /// How many tasks of the handler wait.
    var waiting = 0

    /// Returns metadata that is within the bound. Otherwise notes the excess, because of which the call cannot end OK.
    mutating func admitted(_ metadata: Metadata, besides sent: Int = 0) -> Metadata? {
      let weight = metadata.byteCount + sent
      if weight <= Metadata.sizeLimit { return metadata }
      excess = weight
      return nil
    }
  }

  private final class Flow: Sendable {
    let requests = MessageQueue()
    let answers = SendQueue()
  }

  init(_ number: UInt64, _ start: WorkerStart, request: [UInt8]?, of method: ServedMethod, host: any WorkerHost) {
    self.number = number
    self.start = start
    self.request = request
    self.served = method
    self.host = host
    flow = start.method.kind == .unary ? nil : Flow()
    databaseTime = start.isTraced ? DatabaseTime() : nil
  }

  // MARK: - The host's side

  func run() { served.set.tasks.run(self) }

  /// Called once `task` has taken the call, which it may even have answered by then.
  func assign(to task: CallTask) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.cancelledBecause != nil
    }
    if isCancelled { task.cancel(self) }
  }

  func push(_ messages: [ArraySlice<UInt8>]) { flow?.requests.push(messages) }
  func endRequests() { flow?.requests.end() }
  func accepted(_ bytes: Int) { flow?.answers.giveBack(bytes) }

  func cancel(because status: Status) {
    let task = state.withLock { state in
      state.cancelledBecause = state.cancelledBecause ?? status
      return state.task
    }
    flow?.requests.end(throwing: status)
    flow?.answers.close()
    task?.cancel(self)
  }

  // MARK: - The handler's side

  package func nextAtOnce() throws -> ArraySlice<UInt8>? {
    guard let reading = flow?.requests.takeAtOnce() else { return nil }
    return try message(of: reading)
  }

  package func next() async throws -> [UInt8]? {
    guard let flow else { return nil }
    if let reading = flow.requests.takeAtOnce() { return try message(of: reading).map { Array($0) } }
    if let count = flow.requests.rest() { host.submit(.consumed(number, count)) }
    waits()
    defer { resumes() }
    return try message(of: await flow.requests.next()).map { Array($0) }
  }

  private func message(of reading: MessageQueue.Reading) throws(Status) -> ArraySlice<UInt8>? {
    if let count = reading.report { host.submit(.consumed(number, count)) }
    return try reading.result.get()
  }

  package func sendAtOnce(_ message: [UInt8]) throws -> Bool {
    guard let flow else { throw Status(.internal, "\(start.method.path) has one answer, and no stream of them") }
    if let excess = Self.excess(of: message) { throw excess }
    switch flow.answers.add(message) {
    case .added: return true
    case .addedFirst:
      host.submit(.send(number, flow.answers, initialMetadata: takeInitialMetadata() ?? [:]))
      return true
    case .full: return false
    case .closed: throw state.withLock(\.cancelledBecause) ?? Status(.cancelled, "the call takes no further message")
    }
  }

  package func send(_ message: [UInt8]) async throws {
    while try !sendAtOnce(message) {
      waits()
      await flow?.answers.wait()
      resumes()
      try Task.checkCancellation()
    }
  }

  package var method: MethodDescriptor { start.method }
  package var identity: CallerIdentity { start.identity }
  package var metadata: Metadata { start.metadata }
  package var deadline: MonotonicTime { start.deadline }
  package var idempotencyKey: String { start.idempotencyKey }
  package var attempt: Int { start.attempt }
  package var gateway: String { start.gateway }
  package var clock: Clock { served.set.clock }

  package func setInitialMetadata(_ metadata: Metadata) {
    state.withLock { $0.initialMetadata = $0.admitted(metadata, besides: $0.sentMetadata) }
  }

  package func setTrailingMetadata(_ metadata: Metadata) {
    state.withLock { $0.trailingMetadata = $0.admitted(metadata) }
  }

  private func takeInitialMetadata() -> Metadata? {
    state.withLock { state in
      state.sentMetadata += state.initialMetadata?.byteCount ?? 0
      return state.initialMetadata.take()
    }
  }

  package func nextNestedNumber(for method: MethodDescriptor) -> Int {
    state.withLock { state in
      state.nestedNumbers[method.path, default: 0] += 1
      return state.nestedNumbers[method.path, default: 0]
    }
  }

  package func waits() {
    let isFirst = state.withLock { state in
      state.waiting += 1
      return state.waiting == 1
    }
    if isFirst { host.submit(.waits(number)) }
  }

  package func resumes() {
    let wasLast = state.withLock { state in
      state.waiting -= 1
      return state.waiting == 0
    }
    if wasLast { host.submit(.resumes(number)) }
  }

  // MARK: - From the first step to the outcome

  func answer() async {
    let began = begin()
    do {
      let context = CallContext(self)
      if case .unary(let body) = served.body, databaseTime == nil {
        // The path of nearly every call: inlined here, because each `async` function in between costs time.
        let answer = try await CallContext.$current.withValue(context) { try await body(request ?? [], context) }
        end(.ok, answer, since: began)
      } else {
        let answer = try await DatabaseTime.$ofCall.withValue(databaseTime) {
          try await CallContext.$current.withValue(context) { try await handle(context) }
        }
        end(.ok, answer, since: began)
      }
    } catch {
      end(outcome(of: error), nil, since: began)
    }
  }

  private func handle(_ context: CallContext) async throws -> [UInt8]? {
    switch served.body {
    case .unary(let body): return try await body(request ?? [], context)
    case .streaming(let body):
      try await body(self, context)
      return nil
    }
  }

  /// Notifies the observers that the handler begins. Returns the time; nil without observers, who alone need it.
  private func begin() -> MonotonicTime? {
    guard !served.observers.isEmpty else { return nil }
    for observer in served.observers { observer.began() }
    return clock.monotonic
  }

  private func end(_ status: Status, _ answer: [UInt8]?, since began: MonotonicTime?) {
    var (initial, trailing, excess) = state.withLock { ($0.initialMetadata.take(), $0.trailingMetadata, $0.excess) }
    if excess > 0, status.isOK { return end(tooMuchMetadata(excess), nil, since: began) }
    if let answer, let excess = Self.excess(of: answer) { return end(excess, nil, since: began) }
    if let began {
      let nanoseconds = clock.monotonic.nanoseconds(since: began)
      for observer in served.observers { observer.ended(with: status.code, after: nanoseconds) }
    }
    if let databaseTime {
      let microseconds = Array(String(databaseTime.microseconds).utf8)
      trailing = trailing ?? [:]
      trailing?.appendUnchecked(key: CallTrace.databaseTime, value: microseconds)
    }
    if let answer, status.isOK, initial == nil, trailing == nil { return host.submit(.answer(number, answer)) }
    var status = status
    if let trailing { status.metadata.append(contentsOf: trailing) }
    host.submit(.finish(number, status, answer: answer, initialMetadata: initial ?? [:]))
  }

  /// Why no caller takes the message; nil for nearly all. Without this the worker would split it up and send its
  /// beginning, only for the caller to refuse it.
  private static func excess(of message: [UInt8]) -> Status? {
    let limit = BusLimits.largestMessage
    guard message.count > limit else { return nil }
    return Status(.resourceExhausted, "a message has \(message.count) bytes; at most \(limit) can be sent")
  }

  private func tooMuchMetadata(_ weight: Int) -> Status {
    Status(
      .internal, rule: "internal_error",
      "the handler's metadata weighs \(weight) bytes; at most \(Metadata.sizeLimit) may travel")
  }

  /// The status that the caller gets for an error: the error itself if it was meant for the caller, else only an id to
  /// ask about.
  private func outcome(of error: any Error) -> Status {
    if let status = state.withLock(\.cancelledBecause) { return status }
    switch error {
    case let status as Status: return status.isOK ? unexpected(error) : status
    case let error as any StatusConvertible: return error.isFault ? fault(error) : error.status
    case is CancellationError: return Status(.cancelled, "the handler was cancelled")
    default: return unexpected(error)
    }
  }

  private func unexpected(_ error: any Error) -> Status {
    Status(.internal, rule: "internal_error", "an unexpected error; the service's log has it under \(logged(error))")
  }

  private func fault(_ error: any StatusConvertible) -> Status {
    var status = error.status
    status.message += "; the service's log has it under \(logged(error))"
    return status
  }

  /// Logs an error; returns the id under which the log has it.
  private func logged(_ error: any Error) -> String {
    let id = Hex.encode(Randomness.system.bytes(8))
    served.set.report(error, id, start.method)
    return id
  }
}
