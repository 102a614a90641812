internal import Base
internal import RPC

/// One connection to a gateway, from the side of a worker or a client: HELLO until it is acknowledged, then a session.
struct GatewayLink: Sendable {
  private enum State {
    /// Without a connection nothing is sent.
    case disconnected
    /// A HELLO is to be said, or waits for its answer.
    case greeting(Greeting)
    case established(Session)
  }

  private struct Greeting {
    /// The HELLO that waits for its answer.
    var hello: (epoch: UInt64, saidAt: MonotonicTime)?
    /// How often in a row the gateway has refused: the pause before the next HELLO doubles each time.
    var refusals = 0
  }

  private struct Session {
    /// The number from HELLO_ACK.
    let number: UInt64
    /// The gateway, as it names itself.
    let gateway: String
    var signs: LifeSigns
    /// Whether the gateway accepts nothing new.
    var isLeaving = false
  }

  /// What an envelope means for the link.
  enum Arrival {
    /// Nothing is left to do: it belongs to no session, or the link has handled it.
    case nothing
    /// A session begins, and with it the one before is over.
    case acknowledged(HelloAck)
    /// The gateway does not know the session.
    case unknown
    /// It belongs to the session.
    case inSession
  }

  private var state = State.disconnected

  /// The number of the session; 0 while there is none.
  var session: UInt64 { if case .established(let session) = state { session.number } else { 0 } }
  /// The gateway at the other end; nil while there is no session.
  var gateway: String? { if case .established(let session) = state { session.gateway } else { nil } }
  var isEstablished: Bool { if case .established = state { true } else { false } }
  var takesCalls: Bool { if case .established(let session) = state { !session.isLeaving } else { false } }
  private var isConnected: Bool { if case .disconnected = state { false } else { true } }

  mutating func connect() { state = .greeting(Greeting()) }

  mutating func disconnect() { state = .disconnected }

  /// The session is over; the connection goes on.
  mutating func forgetSession() {
    if isEstablished { state = .greeting(Greeting()) }
  }

  mutating func establish(_ acknowledgement: HelloAck, at now: MonotonicTime) {
    assert(isConnected && !isEstablished, "a session begins on a connection, and after the one before has ended")
    state = .established(
      Session(number: acknowledgement.session, gateway: acknowledgement.gateway, signs: LifeSigns(at: now)))
  }

  mutating func take(_ envelope: borrowing Envelope, at now: MonotonicTime) -> Arrival {
    switch state {
    case .disconnected: return .nothing
    case .greeting(var greeting):
      switch envelope.kind {
      case .helloAck: return envelope.extra?.helloAck.map { .acknowledged($0) } ?? .nothing
      case .helloRequest: return .unknown
      case .goaway:
        // If the process has a session by another link already, this link goes on asking at the usual interval, so that
        // it takes over soon when that session ends.
        if envelope.statusCode != .alreadyExists { greeting.refusals = min(greeting.refusals + 1, 6) }
        state = .greeting(greeting)
        return .nothing
      default: return .nothing
      }
    case .established(var session):
      switch envelope.kind {
      case .helloAck:
        // A repeated answer changes nothing.
        guard let acknowledgement = envelope.extra?.helloAck, acknowledgement.session != session.number else {
          return .nothing
        }
        return .acknowledged(acknowledgement)
      case .helloRequest: return .unknown
      default:
        guard envelope.session == session.number else { return .nothing }
        session.signs.hear(at: now)
        if envelope.kind == .goaway { session.isLeaving = true }
        state = .established(session)
        return .inSession
      }
    }
  }

  /// Notes that a call begins on the link, so that the gateway's silence is noticed soon.
  mutating func watch(at now: MonotonicTime) {
    guard case .established(var session) = state else { return }
    session.signs.watch(at: now)
    state = .established(session)
  }

  /// The epoch for a HELLO, if it is time for one. A new session gets a new epoch. The same epoch is repeated after
  /// `interval` without an answer, so that a gateway that was only slow sees one greeting; a gateway that refuses is
  /// asked at growing intervals.
  mutating func nextGreeting(every interval: Duration, epoch: inout UInt64, at now: MonotonicTime) -> UInt64? {
    guard case .greeting(var greeting) = state else { return nil }
    if let said = greeting.hello {
      guard now - said.saidAt >= interval * (1 << greeting.refusals) else { return nil }
      greeting.hello = (said.epoch, now)
    } else {
      epoch += 1
      greeting.hello = (epoch, now)
    }
    state = .greeting(greeting)
    return greeting.hello?.epoch
  }

  /// What the session needs to stay alive; `dead` when the gateway is.
  mutating func check(isBusy: Bool, _ timings: LinkTimings, at now: MonotonicTime) -> LifeSigns.Verdict {
    guard case .established(var session) = state else { return .alive }
    defer { state = .established(session) }
    return session.signs.check(isBusy: isBusy, timings, at: now)
  }

  /// Whether it must be looked at again within a short interval.
  func needsCare(isBusy: Bool) -> Bool {
    guard case .established(let session) = state else { return isConnected }
    return isBusy || session.signs.isWatched
  }
}

/// The host's number for a connection of a worker or client.
package typealias LinkID = Int
