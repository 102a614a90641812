internal import Base

/// The steps of a reactor's turn.
struct ReactorLoop<Host: ReactorHost & ~Copyable>: ~Copyable {
  private var host: Host
  private let links: Links
  private let handedOver: HandoverQueue<Host.Work>
  private let clock = Clock.system
  private var inbound = Inbound()
  private var work: [Host.Work] = []
  /// How many passes a turn makes at most: enough to handle what it causes itself, and so few that events of other
  /// links do not wait long.
  private static var mostPasses: Int { 3 }

  init(host: consuming Host, links: Links, handedOver: HandoverQueue<Host.Work>) {
    self.host = host
    self.links = links
    self.handedOver = handedOver
  }

  /// Works until nothing is left that has arrived, within bounds; nil when the reactor has to stop.
  mutating func turn(with events: [UInt64]) throws(ZeroMQError) -> ReactorTurnEnd? {
    for key in events { links.note(key) }
    var end = ReactorTurnEnd(isQuiet: false)
    var passes = 0
    while !end.isQuiet, passes < Self.mostPasses {
      let now = clock.monotonic
      host.startTurn(at: now)
      links.guests.read(at: now)
      let goesOn = handedOver.take(into: &work)
      if !goesOn, work.isEmpty { return nil }
      if !work.isEmpty {
        host.perform(&work)
        work.removeAll(keepingCapacity: true)
      }
      for link in links.all where link.isOpen { try serve(link) }
      let wakes = [host.finishTurn(), links.guests.write(at: now)]
      end.next = wakes.compactMap(\.self).min()
      // A link that was used must be received from again before any thread sleeps.
      end.isQuiet = goesOn && !links.all.contains { $0.mayHaveMore || $0.mayHaveEvents }
      passes += 1
    }
    return end
  }

  private mutating func serve(_ link: Link) throws(ZeroMQError) {
    while link.mayHaveEvents {
      if let event = try link.nextEvent() { host.connectionChanged(event, on: link) }
    }
    if link.mayHaveMore { try drain(link) }
    if link.isOpen, link.awaitsRoom, try link.hasRoom() { host.roomAvailable(on: link) }
  }

  private mutating func drain(_ link: Link) throws(ZeroMQError) {
    var left = link.share
    while left > 0, link.isOpen {
      switch try link.receive(into: &inbound) {
      case .message: host.received(inbound, on: link)
      case .malformed: host.receivedMalformed(inbound, on: link)
      case .nothing: return
      }
      // A payload is only copied, while each envelope has to be handled.
      left -= 16 + inbound.headerCount + inbound.payloadCount / 512
    }
  }
}
