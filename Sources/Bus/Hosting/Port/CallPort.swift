package import Base
package import RPC
internal import Synchronization

/// Makes calls for verified callers without tasks: what comes back waits here until the owner takes it.
///
/// This is where protocols other than the bus's own meet the bus. A door of another protocol lives on the reactor's
/// thread and may neither wait nor block, so it gets neither continuations nor callbacks, only values: `begin` and the
/// methods of `PortCall` go in, `takeNews` comes out. A port is used by one thread at a time.
package final class CallPort {
  private let host: any ClientHost
  private let mailbox: PortMailbox
  private let keys = CallKeys(prefix: IdentifierSource().next())
  private var lastNumber: UInt64 = 0

  /// - Parameter wake: called, from any thread, when news has come to a port that had none. A port on a reactor needs
  ///   no such call: the reactor looks after every turn.
  package init(host: any ClientHost, wake: @escaping @Sendable () -> Void = {}) {
    self.host = host
    mailbox = PortMailbox(wake: wake)
  }

  /// The time on the bus's clock.
  package var now: MonotonicTime { host.now }

  /// A key for a call that changes something and whose caller gave none: the gateway may then repeat it by itself.
  package func freshKey() -> String { keys.key(of: lastNumber + 1) }

  /// Begins a call. Its news carries the number of the result; the last is `ended`, exactly once, unless the owner
  /// cancels first.
  package func begin(_ request: PortRequest) -> PortCall {
    lastNumber += 1
    let queue = SendQueue()
    let sink = PortSink(call: lastNumber, mailbox: mailbox, queue: queue)
    let call = PortCall(lastNumber, method: request.method, queue: queue, host: host, mailbox: mailbox)
    if let violation = request.metadata.violation {
      sink.ended(Status(.invalidArgument, violation).unstarted, last: nil)
      return call
    }
    let wish = ClientRequest(
      lastNumber, method: request.method, deadline: request.deadline, idempotencyKey: request.idempotencyKey,
      request: request.message,
      extra: Envelope.Extra(
        metadata: request.metadata, caller: request.caller, waitsForReady: request.waitsForReady),
      earlierAttempts: request.earlierAttempts, sink: sink)
    if !host.submit(.open(wish)) { sink.ended(Client.channelClosed.unstarted, last: nil) }
    return call
  }

  /// Exchanges what has come for all calls, in order, for the empty `buffer`.
  package func takeNews(into buffer: inout [PortNews]) { mailbox.take(into: &buffer) }
}

/// A call as a door has understood and verified it.
package struct PortRequest {
  package var method: MethodDescriptor
  /// Verified by the door; the gateway believes it.
  package var caller: CallerIdentity
  package var deadline: MonotonicTime
  package var metadata = Metadata()
  /// Empty: when its outcome is unknown, a call that changes something is not repeated.
  package var idempotencyKey = ""
  package var waitsForReady = false
  /// How many attempts the caller says it has made before.
  package var earlierAttempts = 0
  /// The request of methods that take one; nil for streams of requests.
  package var message: [UInt8]?

  package init(
    _ method: MethodDescriptor, caller: CallerIdentity, deadline: MonotonicTime, message: [UInt8]? = nil
  ) {
    self.method = method
    self.caller = caller
    self.deadline = deadline
    self.message = message
  }
}

/// Something that has come back for a call of a port.
package struct PortNews: Sendable {
  package enum Content: Sendable {
    /// The handler's initial metadata, before any message. It may be missing, and counts as empty then, if the call
    /// ends without messages.
    case headers(Metadata)
    /// The next messages, at least one. Say `consumed` when they have been passed on, or no more will come.
    case messages([ArraySlice<UInt8>])
    /// A call that had refused a message takes messages again.
    case room
    /// The one outcome; the status carries the trailing metadata. `last` is the last message, or the only one.
    case ended(Status, last: [UInt8]?)
  }

  package let call: UInt64
  package let content: Content
}

/// The owner's handle of a call that it began. Releasing it changes nothing: calls end by their outcome or `cancel`.
package final class PortCall {
  package let number: UInt64
  package let method: MethodDescriptor
  private let queue: SendQueue
  private let host: any ClientHost
  private let mailbox: PortMailbox

  fileprivate init(
    _ number: UInt64, method: MethodDescriptor, queue: SendQueue, host: any ClientHost, mailbox: PortMailbox
  ) {
    self.number = number
    self.method = method
    self.queue = queue
    self.host = host
    self.mailbox = mailbox
  }

  /// Sends a message of a stream; false when there is no room: keep it, stop reading, and try again after `room`. A
  /// call that has ended swallows messages.
  package func send(_ message: [UInt8]) -> Bool {
    switch queue.add(message) {
    case .added, .closed: return true
    case .addedFirst:
      host.submit(.send(number, queue))
      return true
    case .full:
      mailbox.wantsRoom(number)
      // If another thread runs the machine, there may have been room again before the call asked for it.
      return queue.isFull ? false : send(message)
    }
  }

  /// Whether so much waits for the service that the call takes no message. If so, `room` follows when it takes some
  /// again.
  package func asksForRoom() -> Bool {
    guard queue.isFull else { return false }
    mailbox.wantsRoom(number)
    // As in `send`.
    return queue.isFull
  }

  /// No further message follows.
  package func finishSending() { host.submit(.halfClose(number, queue)) }

  /// Reports messages that were passed on, so that others may follow: the sum of their bytes, and their number.
  package func consumed(bytes: Int, messages: Int) {
    guard method.kind.serverStreams, messages > 0 else { return }
    host.submit(.consumed(number, ReadCount(bytes: bytes, messages: messages)))
  }

  /// Cancels the call. No news of it follows, except what has come already.
  package func cancel() { host.submit(.cancel(number)) }
}

/// Collects what the bus's machine delivers, for the owner of a port.
private final class PortMailbox: Sendable {
  private struct State {
    var news: [PortNews] = []
    /// Calls that have refused a message.
    var stalled: Set<UInt64> = []
  }

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  func wantsRoom(_ call: UInt64) {
    state.withLock { _ = $0.stalled.insert(call) }
  }

  func add(_ content: PortNews.Content, for call: UInt64) {
    let isFirst = state.withLock { state in
      if case .ended = content { state.stalled.remove(call) }
      state.news.append(PortNews(call: call, content: content))
      return state.news.count == 1
    }
    if isFirst { wake() }
  }

  /// Adds the news that there is room again, if the call was refused some.
  func addRoom(for call: UInt64) {
    let isAwaited = state.withLock { $0.stalled.remove(call) != nil }
    if isAwaited { add(.room, for: call) }
  }

  func take(into buffer: inout [PortNews]) {
    state.withLock { swap(&$0.news, &buffer) }
  }
}

/// What the bus's machine delivers for one call.
private final class PortSink: CallSink {
  private let call: UInt64
  private let mailbox: PortMailbox
  private let queue: SendQueue

  init(call: UInt64, mailbox: PortMailbox, queue: SendQueue) {
    self.call = call
    self.mailbox = mailbox
    self.queue = queue
  }

  func initialMetadata(_ metadata: Metadata) { mailbox.add(.headers(metadata), for: call) }

  func messages(_ messages: [ArraySlice<UInt8>]) { mailbox.add(.messages(messages), for: call) }

  func accepted(_ bytes: Int) {
    queue.giveBack(bytes)
    mailbox.addRoom(for: call)
  }

  func ended(_ status: Status, last: [UInt8]?) {
    queue.close()
    mailbox.add(.ended(status, last: last), for: call)
  }
}
