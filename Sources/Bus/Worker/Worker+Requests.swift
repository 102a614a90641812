internal import Base
internal import RPC

/// Bounds what slow requests and large requests may take of a worker.
extension Worker {
  /// Called when a call's single request is still incomplete after `longLivedAfter`, and then after each
  /// `requestPatience`.
  ///
  /// The first time, the call gives up its slot, since slots are for handlers that run, and becomes one of at most
  /// `lateRequestLimit` calls that wait for their callers. It fails if there is no room among these, or if not a byte
  /// has come since the last time.
  mutating func awaitRequest(of call: UInt64, _ arrival: WorkerCall.Arrival, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    let received = flows[call]?.receiver.received ?? 0
    switch arrival {
    case .expected:
      guard lateRequests.take(1, for: known.holder) else {
        let text = "\(lateRequests.taken) calls wait for their requests here, and no more of this caller may"
        return fail(call, with: .exhausted(text))
      }
      assembling -= 1
      assert(assembling >= 0, "more requests are late than were expected")
    case .late(let before):
      guard received > before else {
        let patience = configuration.requestPatience.components.seconds
        let text = "nothing of the request of \(known.method.name) has come for \(patience) s"
        return fail(call, with: Status(.deadlineExceeded, text))
      }
    }
    calls[call]?.state = .assembling(.late(received: received))
    timers.set(call, at: min(known.start.deadline, now + configuration.requestPatience))
  }

  /// A single request that came in chunks is complete.
  mutating func complete(_ call: UInt64, _ arrival: WorkerCall.Arrival, request: [UInt8], at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    assert(!known.state.hasBegun, "a handler begins when its request is there")
    endArrival(arrival, of: known)
    calls[call]?.state = .queued(request: request)
    timers.set(call, at: known.start.deadline)
    queue.append(call)
    startQueued(at: now)
  }

  /// Takes a call out of the count of those that wait for their single request.
  mutating func endArrival(_ arrival: WorkerCall.Arrival, of call: WorkerCall) {
    switch arrival {
    case .expected:
      assembling -= 1
      assert(assembling >= 0, "a request that was expected has come or not")
    case .late: lateRequests.giveBack(1, for: call.holder)
    }
  }

  // MARK: - Large messages

  /// Takes room for what the call's stream needs beyond its window, and gives back what it needs no more; false when
  /// the caller's share of the room does not allow it.
  mutating func takeRoom(for call: UInt64) -> Bool {
    guard let (excess, room) = flows.reading(call, { ($0.receiver.excess, $0.room) }), excess != room,
      let holder = calls[call]?.holder
    else { return true }
    if excess < room {
      largeMessages.giveBack(room - excess, for: holder)
    } else if !largeMessages.take(excess - room, for: holder) {
      return false
    }
    flows[call]?.room = excess
    return true
  }

  /// Gives back the room that the call's single request took: its handler has it now.
  mutating func giveBackRoom(of call: UInt64) {
    guard let room = flows[call]?.room, room > 0, let holder = calls[call]?.holder else { return }
    flows[call]?.room = 0
    largeMessages.giveBack(room, for: holder)
  }
}

extension WorkerCall {
  /// Whether the caller may still send requests, or the rest of a single one.
  var awaitsRequests: Bool {
    if method.kind.clientStreams { return true }
    return if case .assembling = state { true } else { false }
  }
}
