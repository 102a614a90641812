internal import RPC

/// A call on the bus with one request and one answer.
struct UnaryCall: PendingCall {
  private let request: ClientRequest
  private let host: any ClientHost
  /// The call whose handler makes this one.
  private let parent: CallContext?

  init(_ request: ClientRequest, through host: any ClientHost, parent: CallContext?) {
    self.request = request
    self.host = host
    self.parent = parent
  }

  // It awaits an event and not a value, which would be copied through every layer of the wait.
  func answer() async throws(Status) -> Answer<[UInt8]> {
    parent?.slot.waits()
    await withTaskCancellationHandler {
      await WaitingTask.suspend { request.answer.register($0) }
    } onCancel: {
      host.submit(.cancel(request.number))
    }
    parent?.slot.resumes()
    return try request.answer.take()
  }
}
