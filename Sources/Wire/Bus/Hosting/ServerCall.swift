internal import Base
internal import Synchronization

/// A call that a handler answers in a task of its own.
package final class ServerCall: IncomingCall, Sendable {
  package let request: [UInt8]?
  private let call: UInt64
  private let start: WorkerStart
  private let handler: MethodHandler
  private let set: HandlerSet
  private let host: any WorkerHost
  private let context: CallContext
  /// What a call needs whose messages flow one by one; nil for one that takes and gives just one.
  private let flow: Flow?
  private let state = Mutex(State())

  private struct State {
    var task: Task<Void, Never>?
    var cancelledBecause: Status?
  }

  private final class Flow: Sendable {
    let requests = MessageQueue()
    let tally = ReadTally()
    let budget = SendBudget()
  }

  init(
    call: UInt64, start: WorkerStart, request: [UInt8]?, handler: MethodHandler, set: HandlerSet,
    host: any WorkerHost
  ) {
    self.call = call
    self.start = start
    self.handler = handler
    self.set = set
    self.host = host
    self.request = request
    flow = start.method.kind == .unary ? nil : Flow()
    context = CallContext(start, clock: set.clock, slot: HandlerSlot(call: call, host: host))
  }

  // MARK: - The host's side

  func run() {
    let task = Task(executorPreference: set.executor) { await self.answer() }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.cancelledBecause != nil
    }
    if isCancelled { task.cancel() }
  }

  func push(_ message: [UInt8]) { flow?.requests.push(message) }
  func endRequests() { flow?.requests.end() }
  func accepted(_ bytes: Int) { flow?.budget.giveBack(bytes) }

  func cancel(because status: Status) {
    let task = state.withLock { state in
      state.cancelledBecause = state.cancelledBecause ?? status
      return state.task
    }
    flow?.requests.end(throwing: status)
    flow?.budget.close()
    task?.cancel()
  }

  // MARK: - The handler's side

  package func next() async throws -> [UInt8]? {
    guard let flow else { return nil }
    let isReady = flow.requests.isReady
    if !isReady, let count = flow.tally.rest() { host.submit(.consumed(call, count)) }
    let slot = isReady ? nil : context.slot
    slot?.waits()
    defer { slot?.resumes() }
    guard let message = try await flow.requests.next() else { return nil }
    if let count = flow.tally.take(message) { host.submit(.consumed(call, count)) }
    return message
  }

  package func send(_ message: [UInt8]) async throws {
    while let flow, !flow.budget.takeAtOnce(message.count) {
      context.slot?.waits()
      await flow.budget.wait()
      context.slot?.resumes()
      try Task.checkCancellation()
    }
    if let status = state.withLock(\.cancelledBecause) { throw status }
    host.submit(.send(call, message, initialMetadata: context.takeInitialMetadata()))
  }

  private func answer() async {
    var answer: [UInt8]?
    var status = Status.ok
    do {
      answer = try await CallContext.$current.withValue(context) {
        try await intercepted(by: set.interceptors[...], context)
      }
    } catch {
      status = outcome(of: error)
    }
    status.metadata.append(contentsOf: context.trailingMetadata)
    host.submit(.finish(call, status, answer: answer, initialMetadata: context.takeInitialMetadata()))
  }

  private func intercepted(
    by interceptors: ArraySlice<any ServerInterceptor>, _ context: CallContext
  ) async throws -> [UInt8]? {
    guard let outermost = interceptors.first else { return try await handle(context) }
    var answer: [UInt8]?
    try await outermost.intercept(context) { context in
      // What an interceptor has changed holds for nested calls as well.
      answer = try await CallContext.$current.withValue(context) {
        try await intercepted(by: interceptors.dropFirst(), context)
      }
    }
    return answer
  }

  private func handle(_ context: CallContext) async throws -> [UInt8]? {
    switch handler.body {
    case .unary(let body): return try await body(request ?? [], context)
    case .streaming(let body):
      try await body(self, context)
      return nil
    }
  }

  /// What the caller gets for an error: what was meant for it, and of anything else only a number to ask about.
  private func outcome(of error: any Error) -> Status {
    if let status = state.withLock(\.cancelledBecause) { return status }
    switch error {
    case let status as Status: return status.isOK ? unexpected(error) : status
    case let error as any StatusConvertible: return error.status
    case is CancellationError: return Status(.cancelled, "the handler was cancelled")
    default: return unexpected(error)
    }
  }

  private func unexpected(_ error: any Error) -> Status {
    let id = Hex.encode(Randomness.system.bytes(8))
    set.report(error, id, start.method)
    return Status(.internal, "an unexpected error; the service's log has it under \(id)")
  }
}

/// The slot of a handler, which it gives up while it waits for somebody else.
package final class HandlerSlot: Sendable {
  private let call: UInt64
  private let host: any WorkerHost
  private let waiting = Mutex(0)

  init(call: UInt64, host: any WorkerHost) {
    self.call = call
    self.host = host
  }

  /// A task of the handler begins to wait.
  package func waits() {
    let isFirst = waiting.withLock { count in
      count += 1
      return count == 1
    }
    if isFirst { host.submit(.waits(call)) }
  }

  package func resumes() {
    let wasLast = waiting.withLock { count in
      count -= 1
      return count == 0
    }
    if wasLast { host.submit(.resumes(call)) }
  }
}
