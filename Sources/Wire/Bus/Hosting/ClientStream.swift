internal import Synchronization

/// A call whose messages flow one by one, from its caller's side.
final class ClientStream: CallSink, Sendable {
  private let method: MethodDescriptor
  private let call: UInt64
  private let host: any ClientHost
  private let interceptors: [any ClientInterceptor]
  private let answers = MessageQueue()
  /// Holds one message, the sign that the initial metadata is here.
  private let metadataSign = MessageQueue()
  private let tally = ReadTally()
  private let budget = SendBudget()
  private let state = Mutex(State())

  private struct State {
    var initialMetadata: Metadata?
    var outcome: Status?
  }

  init(method: MethodDescriptor, call: UInt64, host: any ClientHost, interceptors: [any ClientInterceptor]) {
    self.method = method
    self.call = call
    self.host = host
    self.interceptors = interceptors
  }

  // MARK: - The caller's side

  func send(_ message: [UInt8]) async throws(Status) {
    if let outcome = state.withLock(\.outcome) { throw Self.refusal(after: outcome) }
    while !budget.takeAtOnce(message.count) {
      let slot = CallContext.current?.slot
      slot?.waits()
      await budget.wait()
      slot?.resumes()
      if Task.isCancelled { throw Status(.cancelled, "the sending task was cancelled") }
    }
    if let outcome = state.withLock(\.outcome) { throw Self.refusal(after: outcome) }
    host.submit(.send(call, message))
  }

  private static func refusal(after outcome: Status) -> Status {
    outcome.isOK ? Status(.failedPrecondition, "the call has already ended; it takes no further message") : outcome
  }

  func finishSending() { host.submit(.halfClose(call)) }

  func next() async throws(Status) -> [UInt8]? {
    let isReady = answers.isReady
    if !isReady, let count = tally.rest() { host.submit(.consumed(call, count)) }
    let slot = isReady ? nil : CallContext.current?.slot
    slot?.waits()
    defer { slot?.resumes() }
    guard let message = try await answers.next() else { return nil }
    if method.kind.serverStreams, let count = tally.take(message) { host.submit(.consumed(call, count)) }
    return message
  }

  func initialMetadata() async throws(Status) -> Metadata {
    if let metadata = state.withLock(\.initialMetadata) { return metadata }
    _ = try await metadataSign.next()
    return state.withLock(\.initialMetadata) ?? [:]
  }

  var trailingMetadata: Metadata { state.withLock { $0.outcome?.metadata ?? [:] } }

  func cancel() { host.submit(.cancel(call)) }

  // MARK: - The host's side

  func initialMetadata(_ metadata: Metadata) {
    state.withLock { $0.initialMetadata = metadata }
    metadataSign.end()
  }

  func message(_ message: [UInt8]) { answers.push(message) }

  func accepted(_ bytes: Int) { budget.giveBack(bytes) }

  func ended(_ status: Status, last: [UInt8]?) {
    state.withLock { state in
      state.outcome = status
      if status.isOK, state.initialMetadata == nil { state.initialMetadata = [:] }
    }
    budget.close()
    if let last { answers.push(last) }
    answers.end(throwing: status.isOK ? nil : status)
    metadataSign.end(throwing: status.isOK ? nil : status)
    for interceptor in interceptors { interceptor.finished(method, with: status) }
  }
}

/// What the caller holds: letting go of it cancels the call.
final class ClientStreamHandle: OpenCall, Sendable {
  private let stream: ClientStream

  init(_ stream: ClientStream) {
    self.stream = stream
  }

  deinit {
    stream.cancel()
  }

  func send(_ message: [UInt8]) async throws(Status) { try await stream.send(message) }
  func finishSending() { stream.finishSending() }
  func next() async throws(Status) -> [UInt8]? { try await stream.next() }
  func initialMetadata() async throws(Status) -> Metadata { try await stream.initialMetadata() }
  var trailingMetadata: Metadata { stream.trailingMetadata }
  func cancel() { stream.cancel() }
}
