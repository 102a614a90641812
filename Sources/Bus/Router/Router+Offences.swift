package import Base
internal import RPC

/// Peers that violate the protocol: each is named in the log, and repeated offences end its own session and no other.
/// And peers whose keys were removed.
extension Router {
  /// Records an offence of a session's peer. Its session ends after too many.
  mutating func offend(_ session: RouterSession, _ what: String, at now: MonotonicTime) {
    // The session may have ended with the call that showed the offence.
    guard sessions.contains(session.number) else { return }
    if now - session.lastOffence > configuration.offenceMemory { session.offences = 0 }
    session.offences += 1
    session.lastOffence = now
    report(
      .offence(session: session.number, instance: session.hello.instance, key: session.credentials.name, what: what),
      about: session)
    guard session.offences >= configuration.offenceLimit else { return }
    dismiss(session, because: Status(.invalidArgument, "\(session.offences) offences, the last of them: \(what)"))
    end(session, because: .misbehaved, at: now)
  }

  /// Tells a peer with BYE why the router ends its session.
  mutating func dismiss(_ session: RouterSession, because reason: Status) {
    send(Envelope(.bye, because: reason), to: session)
  }

  /// Records an unreadable message as an offence; false if its sender has no session that could be charged with it.
  package mutating func noteUnreadable(from peer: Peer, why: String, at now: MonotonicTime) -> Bool {
    guard let session = session(of: peer, at: now) else { return false }
    offend(session, "a message cannot be read: \(why)", at: now)
    return true
  }

  /// Ends the session of a peer whose key was removed, if it has one, and tells it so.
  package mutating func revoke(_ peer: Peer, at now: MonotonicTime) {
    guard let session = session(of: peer, at: now) else { return }
    dismiss(
      session,
      because: Status(.permissionDenied, "the key of this peer was removed from the gateway's list, or changed there"))
    end(session, because: .keyRevoked, at: now)
  }

  /// Answers the HELLO of a peer whose key was removed with the reason; it gets nothing else.
  package mutating func turnAway(_ peer: Peer) {
    refuse(peer, with: Status(.permissionDenied, "the key of this peer is not in the gateway's list any more"))
  }
}
