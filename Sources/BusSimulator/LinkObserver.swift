internal import Base
internal import Bus
internal import RPC

/// Observes every link and counts: no side may send beyond the credit or the window that the other side has granted.
final class LinkObserver {
  private unowned let world: World
  private var links: [UInt64: Link] = [:]

  private struct Link {
    /// The credit in the last HELLO, with which its session begins.
    var offered: UInt64 = 0
    var session: UInt64 = 0
    var credit: UInt64 = 0
    var opened: UInt64 = 0
    var calls: [UInt64: Windows] = [:]
  }

  private struct Windows {
    var requests = BusLimits.initialWindow
    var answers = BusLimits.initialWindow
  }

  init(world: World) {
    self.world = world
  }

  func sent(_ envelope: Envelope, on connection: Connection, towardsGateway: Bool) {
    let isWorker = connection.dialer.isWorker
    watch(envelope, on: &links[connection.id, default: Link()], isWorker: isWorker, towardsGateway: towardsGateway)
    if envelope.payload.count > BusLimits.largestPayload {
      world.fail("an envelope carries \(envelope.payload.count) bytes")
    }
  }

  func forget(_ connection: Connection) { links[connection.id] = nil }

  private func watch(_ envelope: Envelope, on link: inout Link, isWorker: Bool, towardsGateway: Bool) {
    switch envelope.kind {
    case .hello: link.offered = envelope.credit
    case .helloAck where envelope.session != link.session:
      link = Link(offered: link.offered, session: envelope.session, credit: link.offered)
    default: break
    }
    guard envelope.session == link.session, link.session != 0 else { return }
    if isWorker, towardsGateway { link.credit = max(link.credit, envelope.credit) }
    // Requests flow from a client to its gateway, and from a gateway to a worker.
    let carriesRequests = isWorker != towardsGateway
    switch envelope.kind {
    case .open:
      link.calls[envelope.call] = Windows()
      guard isWorker else { break }
      link.opened += 1
      if link.opened > link.credit { world.fail("a worker granted \(link.credit) calls and got \(link.opened)") }
    case .data:
      guard let windows = link.calls[envelope.call] else { break }
      let end = envelope.offset + UInt64(envelope.payload.count)
      let window = carriesRequests ? windows.requests : windows.answers
      if end > window { world.fail("a sender went to \(end); its window ended at \(window)") }
    case .window where carriesRequests:
      link.calls[envelope.call]?.answers.extend(to: envelope.offset)
    case .window:
      link.calls[envelope.call]?.requests.extend(to: envelope.offset)
    case .status, .reject: link.calls[envelope.call] = nil
    default: break
    }
  }
}

extension UInt64 {
  fileprivate mutating func extend(to offset: UInt64) { self = Swift.max(self, offset) }
}
