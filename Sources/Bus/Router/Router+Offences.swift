package import Base

/// Peers that do what the protocol does not allow: each is named in the log and ends its own session in time, nobody
/// else's.
extension Router {
  /// Notes that the peer of a session has done what it may not. Its session ends when it goes on.
  mutating func offend(_ session: RouterSession, _ what: String, at now: MonotonicTime) {
    // It may have ended with the call that showed the offence.
    guard sessions.contains(session.number) else { return }
    if now - session.lastOffence > configuration.offenceMemory { session.offences = 0 }
    session.offences += 1
    session.lastOffence = now
    report(
      .offence(session: session.number, instance: session.hello.instance, key: session.credentials.name, what: what),
      about: session.peer)
    guard session.offences >= configuration.offenceLimit else { return }
    send(Envelope(.bye), to: session)
    end(session, because: .misbehaved, at: now)
  }

  /// What a peer sent cannot be read; false when it has no session that could end for it.
  package mutating func noteUnreadable(from peer: Peer, why: String, at now: MonotonicTime) -> Bool {
    guard let session = sessionOfPeer[peer.number] else { return false }
    offend(session, "a message cannot be read: \(why)", at: now)
    return true
  }

  /// A peer whose key is no longer in the list says HELLO: it is told so, and gets nothing else.
  package mutating func turnAway(_ peer: Peer) {
    refuse(peer, with: Status(.permissionDenied, "the key of this peer is not in the gateway's list any more"))
  }
}

extension PeerCredentials {
  /// What the list of keys calls the peer, for people.
  package var name: String { identity.tenant.isEmpty ? identity.subject : "\(identity.tenant)/\(identity.subject)" }
}
