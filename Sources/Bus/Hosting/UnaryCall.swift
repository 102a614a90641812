internal import RPC

/// A call on the bus with one request and one answer.
struct UnaryCall: PendingCall {
  private let request: ClientRequest
  private let channel: BusChannel
  /// The call whose handler makes this one.
  private let parent: CallContext?

  init(_ request: ClientRequest, through channel: BusChannel, parent: CallContext?) {
    self.request = request
    self.channel = channel
    self.parent = parent
  }

  // It awaits an event and not a value, which would be copied through every layer of the wait.
  func answer() async throws(Status) -> Answer<[UInt8]> {
    parent?.slot.waits()
    await withTaskCancellationHandler {
      await WaitingTask.suspend { request.answer.register($0) }
    } onCancel: {
      channel.cancel(request)
    }
    return try outcome()
  }

  private func outcome() throws(Status) -> Answer<[UInt8]> {
    parent?.slot.resumes()
    do throws(Status) {
      let answer = try request.answer.take()
      channel.finished(request.method, with: .ok)
      return answer
    } catch {
      channel.finished(request.method, with: error)
      throw error
    }
  }
}
