internal import RPC
internal import Synchronization

/// The caller's side of a call with streams.
final class ClientStream: CallSink, Sendable {
  private let method: MethodDescriptor
  private let call: UInt64
  private let host: any ClientHost
  private let answers = MessageQueue()
  /// Carries no message: it ends when the initial metadata has arrived.
  private let metadataSign = MessageQueue()
  private let requests = SendQueue()
  private let state = Mutex(State())

  private struct State {
    var initialMetadata: Metadata?
    var outcome: Status?
  }

  init(method: MethodDescriptor, call: UInt64, host: any ClientHost) {
    self.method = method
    self.call = call
    self.host = host
  }

  // MARK: - The caller's side

  func sendAtOnce(_ message: [UInt8]) throws(Status) -> Bool {
    switch requests.add(message) {
    case .added: return true
    case .addedFirst:
      host.submit(.send(call, requests))
      return true
    case .full: return false
    case .closed: throw Self.refusal(after: state.withLock(\.outcome) ?? .ok)
    }
  }

  func send(_ message: [UInt8]) async throws(Status) {
    while try !sendAtOnce(message) {
      let slot = CallContext.current?.slot
      slot?.waits()
      await requests.wait()
      slot?.resumes()
      if Task.isCancelled { throw Status(.cancelled, "the sending task was cancelled") }
    }
  }

  private static func refusal(after outcome: Status) -> Status {
    outcome.isOK ? Status(.failedPrecondition, "the call has already ended; it takes no further message") : outcome
  }

  func finishSending() { host.submit(.halfClose(call, requests)) }

  func nextAtOnce() throws(Status) -> ArraySlice<UInt8>? {
    guard let reading = answers.takeAtOnce() else { return nil }
    return try message(of: reading)
  }

  func next() async throws(Status) -> [UInt8]? {
    if let reading = answers.takeAtOnce() { return try message(of: reading).map { Array($0) } }
    report(answers.rest())
    let slot = CallContext.current?.slot
    slot?.waits()
    defer { slot?.resumes() }
    return try message(of: await answers.next()).map { Array($0) }
  }

  private func message(of reading: MessageQueue.Reading) throws(Status) -> ArraySlice<UInt8>? {
    report(reading.report)
    return try reading.result.get()
  }

  private func report(_ count: ReadCount?) {
    if let count, method.kind.serverStreams { host.submit(.consumed(call, count)) }
  }

  func initialMetadata() async throws(Status) -> Metadata {
    if let metadata = state.withLock(\.initialMetadata) { return metadata }
    _ = try await metadataSign.next().result.get()
    return state.withLock(\.initialMetadata) ?? [:]
  }

  var trailingMetadata: Metadata { state.withLock { $0.outcome?.metadata ?? [:] } }

  func cancel() { host.submit(.cancel(call)) }

  // MARK: - The host's side

  func initialMetadata(_ metadata: Metadata) {
    state.withLock { $0.initialMetadata = metadata }
    metadataSign.end()
  }

  func messages(_ messages: [ArraySlice<UInt8>]) { answers.push(messages) }

  func accepted(_ bytes: Int) { requests.giveBack(bytes) }

  func ended(_ status: Status, last: [UInt8]?) {
    state.withLock { state in
      state.outcome = status
      if status.isOK, state.initialMetadata == nil { state.initialMetadata = [:] }
    }
    requests.close()
    if let last { answers.push([last[...]]) }
    answers.end(throwing: status.isOK ? nil : status)
    metadataSign.end(throwing: status.isOK ? nil : status)
  }
}

/// The caller's reference to the call: releasing it cancels the call.
final class ClientStreamHandle: OpenCall, Sendable {
  private let stream: ClientStream

  init(_ stream: ClientStream) {
    self.stream = stream
  }

  deinit {
    stream.cancel()
  }

  func sendAtOnce(_ message: [UInt8]) throws(Status) -> Bool { try stream.sendAtOnce(message) }
  func send(_ message: [UInt8]) async throws(Status) { try await stream.send(message) }
  func finishSending() { stream.finishSending() }
  func nextAtOnce() throws(Status) -> ArraySlice<UInt8>? { try stream.nextAtOnce() }
  func next() async throws(Status) -> [UInt8]? { try await stream.next() }
  func initialMetadata() async throws(Status) -> Metadata { try await stream.initialMetadata() }
  var trailingMetadata: Metadata { stream.trailingMetadata }
  func cancel() { stream.cancel() }
}
