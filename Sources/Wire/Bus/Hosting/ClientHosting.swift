package import Base

/// What tasks hand to the host of a client machine.
package enum ClientInput: Sendable {
  case open(UInt64, ClientRequest, any CallSink)
  case send(UInt64, [UInt8])
  case halfClose(UInt64)
  case consumed(UInt64, ReadCount)
  case cancel(UInt64)
}

/// Where a client machine lives: on a reactor thread, or under a lock.
package protocol ClientHost: AnyObject, Sendable {
  var clock: Clock { get }
  func submit(_ input: ClientInput)
}

/// Where what comes back for one call goes. Called by the host, one at a time, and never blocking.
package protocol CallSink: AnyObject, Sendable {
  func initialMetadata(_ metadata: Metadata)
  func message(_ message: [UInt8])
  func accepted(_ bytes: Int)
  /// - Parameter last: the message that came with the outcome. Where none came before, the initial metadata is empty.
  func ended(_ status: Status, last: [UInt8]?)
}

/// A client machine with the sinks of its calls: what every host of one has inside.
package struct ClientDriver: Sendable {
  package var machine: Client
  private var sinks = NumberMap<any CallSink>()
  private var actions: [ClientAction] = []

  package init(machine: Client) {
    self.machine = machine
  }

  package mutating func apply(_ input: ClientInput, at now: MonotonicTime) {
    switch input {
    case .open(let call, let request, let sink):
      sinks.set(call, sink)
      machine.open(call, request, at: now)
    case .send(let call, let message): machine.send(call, message: message, at: now)
    case .halfClose(let call): machine.halfClose(call, at: now)
    case .consumed(let call, let count): machine.consumed(call, count, at: now)
    case .cancel(let call): machine.cancel(call, at: now)
    }
  }

  /// What is to be delivered now that the machine is at rest; to be done outside of any lock.
  package mutating func takeDeliveries(into deliveries: inout [Delivery]) {
    machine.exchangeActions(&actions)
    defer { actions.removeAll(keepingCapacity: true) }
    for action in actions {
      switch action {
      case .initialMetadata(let call, let metadata):
        if let sink = sinks[call] { deliveries.append(.initialMetadata(metadata, sink)) }
      case .message(let call, let message):
        if let sink = sinks[call] { deliveries.append(.message(message, sink)) }
      case .accepted(let call, let bytes):
        if let sink = sinks[call] { deliveries.append(.accepted(bytes, sink)) }
      case .ended(let call, let status, let last):
        if let sink = sinks.remove(call) { deliveries.append(.ended(status, last: last, sink)) }
      }
    }
  }
}
