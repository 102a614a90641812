internal import Base
package import RPC
internal import Synchronization

/// The calls that are open at all doors of a gateway. They are counted by caller, however many connections a caller
/// opens.
///
/// To the bus all callers of a door are one client, whose calls it counts together. And a stream stays open, in the
/// gateway and in the service, for as long as its caller wants: without bounds here, a few callers could leave no room
/// for others.
package final class OpenCalls: Sendable {
  package struct Bounds: Sendable {
    /// Calls of all callers together. No caller may have more than are still free.
    package var all = 20_000
    /// Streams of one account.
    package var streamsOfAccount = 256
    /// Streams of one address, from callers without a credential.
    package var streamsOfAddress = 64

    package init() {}
  }

  private struct State {
    var calls: Shares<String>
    var streams: [String: Int] = [:]
    /// Why no call begins any more; nil while calls do.
    var closed: Status?
  }

  private let bounds: Bounds
  private let state: Mutex<State>

  package init(_ bounds: Bounds = Bounds()) {
    self.bounds = bounds
    state = Mutex(State(calls: Shares(of: bounds.all)))
  }

  /// How many calls are open.
  package var count: Int { state.withLock { $0.calls.taken } }

  /// From now on no call begins: whoever asks for one gets the status.
  package func close(with status: Status) { state.withLock { $0.closed = status } }

  /// Counts a call for as long as the returned place lives; throws when its caller may not open another one.
  ///
  /// - Parameter account: empty for callers without a credential, who are counted by their address.
  package func begin(
    _ method: MethodDescriptor, by account: String, from address: String
  ) throws(Status) -> CallPlace {
    let holder = CountedAddress.holder(account, at: address)
    let who = account.isEmpty ? "this address" : "this key"
    let mostStreams = account.isEmpty ? bounds.streamsOfAddress : bounds.streamsOfAccount
    let isStream = method.kind != .unary
    let objection: Status? = state.withLock { state in
      if let closed = state.closed { return closed }
      let streams = isStream ? state.streams[holder, default: 0] : 0
      guard !isStream || streams < mostStreams else {
        return Self.refusal(
          "too_many_streams", "\(who) has \(streams) streams open, as many as may be at a time")
      }
      guard state.calls.take(1, for: holder) else {
        let open = "\(who) has \(state.calls[holder]) calls open, and all callers have \(state.calls.taken)"
        return Self.refusal("too_many_open_calls", open)
      }
      if isStream { state.streams[holder] = streams + 1 }
      return nil
    }
    if let objection { throw objection }
    return CallPlace(of: holder, isStream: isStream, in: self)
  }

  private static func refusal(_ rule: String, _ story: String) -> Status {
    Status(.resourceExhausted, rule: rule, story, metadata: ["retry-after-ms": "1000"])
  }

  fileprivate func end(_ holder: String, isStream: Bool) {
    state.withLock { state in
      state.calls.giveBack(1, for: holder)
      guard isStream, let streams = state.streams[holder] else { return }
      state.streams[holder] = streams == 1 ? nil : streams - 1
    }
  }
}

/// A call's place among those that are open.
package struct CallPlace: ~Copyable {
  private let holder: String
  private let isStream: Bool
  private let calls: OpenCalls

  fileprivate init(of holder: String, isStream: Bool, in calls: OpenCalls) {
    self.holder = holder
    self.isStream = isStream
    self.calls = calls
  }

  deinit {
    calls.end(holder, isStream: isStream)
  }
}
