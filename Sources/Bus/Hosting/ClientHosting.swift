package import Base
package import RPC

/// What tasks submit to the host of a client machine.
package enum ClientInput: Sendable {
  case open(ClientRequest)
  /// The queue has messages to send.
  case send(UInt64, SendQueue)
  /// The caller sends no more: the stream ends after what the queue still has.
  case halfClose(UInt64, SendQueue)
  case consumed(UInt64, ReadCount)
  case cancel(UInt64)
}

/// The host of a client machine: a reactor, or a lock.
package protocol ClientHost: AnyObject, Sendable {
  /// The time on the machine's clock.
  var now: MonotonicTime { get }
  /// Submits `input`; false when the machine has stopped and will never see it.
  @discardableResult
  func submit(_ input: ClientInput) -> Bool
}

/// Receives what comes back for a call with streams. Called by the host, one call at a time; must not block.
package protocol CallSink: AnyObject, Sendable {
  func initialMetadata(_ metadata: Metadata)
  /// - Parameter messages: at least one.
  func messages(_ messages: [ArraySlice<UInt8>])
  func accepted(_ bytes: Int)
  /// - Parameter last: the message that came with the outcome. If none came before, the initial metadata is empty.
  func ended(_ status: Status, last: [UInt8]?)
}

/// A client machine with the operations that its hosts use.
package struct ClientDriver: Sendable {
  package var machine: Client
  private var actions: [ClientAction] = []

  package init(machine: Client) {
    self.machine = machine
  }

  package mutating func apply(_ input: ClientInput, at now: MonotonicTime) {
    switch input {
    case .open(let request): machine.open(request, at: now)
    case .send(let call, let queue): machine.send(call, queue.take(), at: now)
    case .halfClose(let call, let queue):
      // Another task may have added messages that it has not announced yet.
      let run = queue.take()
      if run.byteCount > 0 { machine.send(call, run, at: now) }
      machine.halfClose(call, at: now)
    case .consumed(let call, let count): machine.consumed(call, count, at: now)
    case .cancel(let call): machine.cancel(call, at: now)
    }
  }

  /// Passes on what came back for calls, once the machine is at rest: for hosts without a lock.
  package mutating func deliver() {
    machine.exchangeActions(&actions)
    for place in actions.indices { actions[place].perform() }
    actions.removeAll(keepingCapacity: true)
  }

  /// Collects the deliveries, once the machine is at rest; they are to be performed outside of any lock.
  package mutating func takeDeliveries(into deliveries: inout [Delivery]) {
    machine.exchangeActions(&actions)
    for action in actions { deliveries.append(.client(action)) }
    actions.removeAll(keepingCapacity: true)
  }
}

extension ClientAction {
  func perform() {
    switch self {
    case .initialMetadata(let request, let metadata):
      if let sink = request.sink { sink.initialMetadata(metadata) } else { request.answer.initialMetadata(metadata) }
    case .messages(let request, let messages):
      if let sink = request.sink { sink.messages(messages) } else { request.answer.messages(messages) }
    case .accepted(let request, let bytes): request.sink?.accepted(bytes)
    case .answered(let request, let message):
      if let sink = request.sink { sink.ended(.ok, last: message) } else { request.answer.answered(message) }
    case .ended(let request, let status, let last):
      if let sink = request.sink { sink.ended(status, last: last) } else { request.answer.ended(status, last: last) }
    }
  }
}
