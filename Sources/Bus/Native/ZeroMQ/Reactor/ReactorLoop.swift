internal import Base

/// What a reactor's thread does: it takes turns, and sleeps between them.
struct ReactorLoop<Host: ReactorHost & ~Copyable>: ~Copyable {
  private var host: Host
  private let links: Links
  private let inbox: ReactorInbox<Host.Work>
  private let watch: SocketWatch
  private let clock = Clock.system
  private var inbound = Inbound()
  private var work: [Host.Work] = []
  /// How many passes a turn makes at most: enough to handle what it causes itself, and so few that events of other
  /// links do not wait long.
  private static var mostPasses: Int { 3 }

  init(host: consuming Host, links: Links, inbox: ReactorInbox<Host.Work>, watch: SocketWatch) {
    self.host = host
    self.links = links
    self.inbox = inbox
    self.watch = watch
  }

  private enum TurnEnd {
    /// The turn left something that no descriptor reports.
    case unfinished
    /// Everything that had arrived was processed; the next turn must start at this time although nothing arrives.
    case quiet(until: MonotonicTime?)
    case last
  }

  /// Returns when the inbox is closed, and all that it contained has been done.
  mutating func run() throws(ZeroMQError) {
    while true {
      switch try turn() {
      case .quiet(let next) where inbox.rest():
        watch.sleep(until: next, clock) { [links] in links.note($0) }
        inbox.rise()
      case .quiet, .unfinished: watch.poll { [links] in links.note($0) }
      case .last: return
      }
    }
  }

  /// Works until nothing is left that has arrived, within bounds.
  private mutating func turn() throws(ZeroMQError) -> TurnEnd {
    for _ in 0..<Self.mostPasses {
      let now = clock.monotonic
      host.startTurn(at: now)
      links.guests.read(at: now)
      let goesOn = inbox.take(into: &work)
      if !goesOn, work.isEmpty { return .last }
      if !work.isEmpty {
        host.perform(&work)
        work.removeAll(keepingCapacity: true)
      }
      for link in links.all where link.isOpen { try serve(link) }
      let wakes = [host.finishTurn(), links.guests.write(at: now)]
      // A link that was used must be received from again before the thread sleeps.
      let isQuiet = goesOn && !links.all.contains { $0.mayHaveMore || $0.mayHaveEvents }
      if isQuiet { return .quiet(until: wakes.compactMap(\.self).min()) }
    }
    return .unfinished
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
