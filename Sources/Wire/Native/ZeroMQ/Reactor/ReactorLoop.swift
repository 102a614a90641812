internal import Base

/// What a reactor's thread does, turn after turn.
struct ReactorLoop<Host: ReactorHost>: ~Copyable {
  private let host: Host
  private let links: Links
  private let inbox: ReactorInbox<Host.Work>
  private let clock = Clock.system
  private var inbound = Inbound()
  private var work: [Host.Work] = []
  private var poller: Poller
  private var watched: [Watched] = []
  private var watchedRevision = -1

  /// A link and where the poller keeps its state.
  private struct Watched {
    let link: Link
    let socketIndex: Int
    let reportsIndex: Int?
  }

  init(host: Host, links: Links, inbox: ReactorInbox<Host.Work>) {
    self.host = host
    self.links = links
    self.inbox = inbox
    poller = Poller(wakeup: inbox.wakeup)
  }

  mutating func run() throws(ZeroMQError) {
    host.startTurn(at: clock.monotonic)
    var nextTurn = host.finishTurn()
    while true {
      try wait(until: nextTurn)
      host.startTurn(at: clock.monotonic)
      guard inbox.take(into: &work) else { return }
      if !work.isEmpty {
        host.perform(&work)
        work.removeAll(keepingCapacity: true)
      }
      for entry in watched where entry.link.isOpen { try serve(entry) }
      nextTurn = host.finishTurn()
    }
  }

  private mutating func wait(until deadline: MonotonicTime?) throws(ZeroMQError) {
    if watchedRevision != links.revision { watchLinks() }
    for entry in watched { poller.awaitRoom(entry.socketIndex, entry.link.awaitsRoom) }
    guard inbox.prepareToSleep() else { return try poller.wait(.zero) }
    try poller.wait(deadline.map { $0 - clock.monotonic })
  }

  private mutating func watchLinks() {
    poller = Poller(wakeup: inbox.wakeup)
    watched = links.all.map { link in
      let places = link.watch(with: &poller)
      return Watched(link: link, socketIndex: places.socket, reportsIndex: places.reports)
    }
    watchedRevision = links.revision
  }

  private mutating func serve(_ entry: Watched) throws(ZeroMQError) {
    let link = entry.link
    if let index = entry.reportsIndex, poller.isReadable(index) {
      while let event = try link.nextEvent() { host.connectionChanged(event, on: link) }
    }
    if poller.isReadable(entry.socketIndex) { try drain(link) }
    if link.isOpen, link.awaitsRoom, poller.hasRoom(entry.socketIndex) { host.roomAvailable(on: link) }
  }

  private mutating func drain(_ link: Link) throws(ZeroMQError) {
    for _ in 0..<link.batchLimit where link.isOpen {
      switch try link.receive(into: &inbound) {
      case .message: host.received(inbound, on: link)
      case .malformed: host.receivedMalformed(on: link)
      case .nothing: return
      }
    }
  }
}
