package import RPC

/// The calls of which an envelope found no room on its way to a peer, and the peers that are lost, until the router has
/// been told.
///
/// The router may have passed on the end of such a call in the same turn, and forgotten the call: without the envelope
/// its stream would look whole. All calls of a lost peer may lack an envelope.
package struct CutCalls {
  private struct Cut: Hashable {
    let peer: Peer
    let call: UInt64
  }

  private var reasons: [Cut: Status] = [:]
  private var lost: Set<Peer> = []

  package init() {}

  package var isEmpty: Bool { reasons.isEmpty && lost.isEmpty }

  /// - Parameter reason: what the call ends with if its own end says that all went well.
  package mutating func cut(_ call: UInt64, to peer: Peer, because reason: Status) {
    reasons[Cut(peer: peer, call: call)] = reason
  }

  /// A message to the peer found no room, or the peer is gone: its session ends, and it gets nothing more.
  package mutating func lose(_ peer: Peer) { lost.insert(peer) }

  package mutating func removeAll() {
    reasons = [:]
    lost = []
  }

  /// What the peer gets in place of an envelope that follows; nil for nothing. Other calls' envelopes, errors and
  /// cancellations stay as they are, unless the peer is lost.
  package func successor(_ envelope: consuming Envelope, to peer: Peer) -> Envelope? {
    if lost.contains(peer) { return nil }
    guard let reason = reasons[Cut(peer: peer, call: envelope.call)] else { return envelope }
    switch envelope.kind {
    case .cancel: return envelope
    case .status where envelope.statusCode != .ok: return envelope
    case .status:
      var end = Envelope(status: reason, call: envelope.call)
      end.session = envelope.session
      return end
    default: return nil
    }
  }
}

extension Status {
  /// Ends a call whose peer leaves so much unread that there is no room for what its stream sends.
  package static func unread(by peer: String) -> Status {
    .exhausted("\(peer) does not read what this stream sends")
  }

  /// Ends a call of which an envelope cannot be encoded.
  package static func unwritten(for peer: String) -> Status {
    Status(.internal, "\(peer) cannot be sent what this call has for it")
  }
}
