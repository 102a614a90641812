internal import Base

/// What a reactor's thread does, turn after turn.
struct ReactorLoop<Host: ReactorHost & ~Copyable>: ~Copyable {
  private var host: Host
  private let links: Links
  private let inbox: ReactorInbox<Host.Work>
  private let clock = Clock.system
  private var inbound = Inbound()
  private var work: [Host.Work] = []
  private let executor: ReactorExecutor
  private var jobs: [UnownedJob] = []
  private var watch: SocketWatch
  private var watched: [Watched] = []
  private var watchedRevision = -1
  /// How many turns have begun since the descriptors were looked at.
  private var turnsUnseeing = 0
  /// So few that news of other links do not wait long, and enough for what a turn leads to: tasks that it ran, what those sent.
  private static var mostTurnsUnseeing: Int { 2 }

  /// A link and where the watch keeps its news.
  private struct Watched {
    let link: Link
    let socketIndex: Int
    let reportsIndex: Int?
  }

  init(host: consuming Host, links: Links, inbox: ReactorInbox<Host.Work>, executor: ReactorExecutor) {
    self.host = host
    self.links = links
    self.inbox = inbox
    self.executor = executor
    watch = SocketWatch(wakeup: inbox.bell.wakeup)
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
      runJobs()
    }
  }

  private mutating func runJobs() {
    inbox.jobs.take(into: &jobs)
    for job in jobs { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    jobs.removeAll(keepingCapacity: true)
  }

  private mutating func wait(until deadline: MonotonicTime?) throws(ZeroMQError) {
    if watchedRevision != links.revision { try watchLinks() }
    // A link that was used must be received from again before anybody sleeps; that is the next turn's business.
    if !watched.contains(where: { $0.link.mayHaveMore }), inbox.prepareToSleep() {
      turnsUnseeing = 0
      try watch.wait(deadline.map { $0.nanoseconds(since: clock.monotonic) })
    } else if turnsUnseeing < Self.mostTurnsUnseeing {
      // There is something to do without asking the system for more.
      turnsUnseeing += 1
      watch.forgetNews()
    } else {
      turnsUnseeing = 0
      try watch.look()
    }
  }

  private mutating func watchLinks() throws(ZeroMQError) {
    watch = SocketWatch(wakeup: inbox.bell.wakeup)
    watched = []
    for link in links.all {
      let places = try link.join(&watch)
      watched.append(Watched(link: link, socketIndex: places.socket, reportsIndex: places.reports))
    }
    watchedRevision = links.revision
  }

  private mutating func serve(_ entry: Watched) throws(ZeroMQError) {
    let link = entry.link
    if let index = entry.reportsIndex, link.mayHaveEvents || watch.hasNews(index) {
      while let event = try link.nextEvent() { host.connectionChanged(event, on: link) }
    }
    if link.mayHaveMore || watch.hasNews(entry.socketIndex) { try drain(link) }
    if link.isOpen, link.awaitsRoom, try link.hasRoom() { host.roomAvailable(on: link) }
  }

  private mutating func drain(_ link: Link) throws(ZeroMQError) {
    var left = link.batchLimit
    while left > 0, link.isOpen {
      switch try link.receive(into: &inbound) {
      case .message: host.received(inbound, on: link)
      case .malformed: host.receivedMalformed(on: link)
      case .nothing: return
      }
      // A long message is the work of several.
      left -= 1 + inbound.headerCount / 512
    }
  }
}
