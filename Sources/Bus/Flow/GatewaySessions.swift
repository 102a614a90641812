internal import Base

/// A link to a gateway, with what the client or worker keeps for it.
protocol SessionLink: Sendable {
  init()
  var link: GatewayLink { get set }
  /// Whether a call is open on the link.
  var isBusy: Bool { get }
}

/// A process's sessions with its gateways, as a pure state machine that client and worker share: it introduces the
/// process on each link, notices when a gateway is dead, and tells which envelopes belong to a session.
struct GatewaySessions<Link: SessionLink>: Sendable {
  var links = LinkMap<Link>()
  private let template: Hello
  private let timings: LinkTimings
  private var epoch: UInt64
  /// When the links are looked at next.
  private(set) var nextLook: MonotonicTime

  /// What has to be done for a link when it is checked.
  enum Need {
    case greeting(Hello)
    case ping
    /// Its gateway is dead: the session is over.
    case end
  }

  /// - Parameter epoch: greater than that of any earlier life of the same instance.
  init(hello: Hello, epoch: UInt64, timings: LinkTimings, at now: MonotonicTime) {
    template = hello
    self.epoch = epoch
    self.timings = timings
    nextLook = now + timings.pingInterval
  }

  mutating func connect(_ link: LinkID, at now: MonotonicTime) {
    links.add(link, Link())
    links[link]?.link.connect()
    lookSoon(at: now)
  }

  /// The HELLO for a link, if it is time for one.
  mutating func greeting(on link: LinkID, at now: MonotonicTime) -> Hello? {
    guard
      let epoch = links[link]?.link.nextGreeting(every: timings.pingInterval, epoch: &epoch, at: now)
    else { return nil }
    var hello = template
    hello.epoch = epoch
    hello.link = UInt32(truncatingIfNeeded: link)
    return hello
  }

  /// Passes an envelope to its link; the result tells the client or worker what to do with it.
  @inline(__always)
  mutating func take(_ envelope: borrowing Envelope, on link: LinkID, at now: MonotonicTime) -> GatewayLink.Arrival {
    links.change(link) { $0.link.take(envelope, at: now) } ?? .nothing
  }

  /// The session on a link is over; false when there was none.
  mutating func end(_ link: LinkID, at now: MonotonicTime) -> Bool {
    guard links[link]?.link.isEstablished == true else { return false }
    links[link]?.link.forgetSession()
    lookSoon(at: now)
    return true
  }

  /// A link has work, or is to get a session: from now on, its gateway is checked at the shorter interval.
  mutating func lookSoon(at now: MonotonicTime) {
    nextLook = min(nextLook, now + timings.pingInterval)
  }

  /// What the links need now; nothing before `nextLook`. Where that is `end`, the client or worker ends the session and
  /// then asks for a greeting on that link.
  mutating func look(at now: MonotonicTime) -> [(link: LinkID, need: Need)] {
    guard now >= nextLook else { return [] }
    nextLook = now + timings.idlePingInterval
    var needs: [(link: LinkID, need: Need)] = []
    for link in links.links {
      switch links.change(link, { $0.link.check(isBusy: $0.isBusy, timings, at: now) }) ?? .alive {
      case .alive: if let hello = greeting(on: link, at: now) { needs.append((link, .greeting(hello))) }
      case .ping: needs.append((link, .ping))
      case .dead: needs.append((link, .end))
      }
      if links[link].map({ $0.link.needsCare(isBusy: $0.isBusy) }) == true { lookSoon(at: now) }
    }
    return needs
  }
}
