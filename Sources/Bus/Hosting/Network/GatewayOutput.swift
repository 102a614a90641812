internal import RPC
internal import Wire

/// What a gateway sends to its peers, and what waits for those that do not read.
struct GatewayOutput {
  /// Something that happened to a peer. The router is told of it once all its envelopes have been passed on.
  enum News {
    case lost(Peer, RouterEvent.Reason)
    /// There is no room for an envelope of this call's stream.
    case unread(Peer, call: UInt64)
    /// An envelope of this call cannot be encoded, and nothing was sent in its place.
    case unwritten(Peer, call: UInt64)
    /// So much waits for it that it is to get no calls.
    case heldUp(Peer)
  }

  private let sockets: Sockets
  private var outboxes = Outboxes<Peer, Peer.Sharer>(
    bytesEach: BusLimits.keptForPeer, ofStreams: BusLimits.streamsKeptForPeer, together: BusLimits.keptForAllPeers)
  private var news: [News] = []
  /// The calls that `news` says are unread or unwritten, and the peers that it says are lost.
  private var cutCalls = CutCalls()
  /// Peers for which so much waits that they get no calls.
  private var heldUp: Set<Peer> = []

  init(doors: [GatewayDoor], report: @escaping @Sendable (BusServer.Report) -> Void) {
    sockets = Sockets(doors: doors, report: report)
  }

  /// Whether nothing waits for any peer.
  var isEmpty: Bool { outboxes.isEmpty }
  var hasNews: Bool { !news.isEmpty }

  mutating func takeNews() -> [News] {
    cutCalls.removeAll()
    return exchange(&news, with: [])
  }

  /// Sends what waits; returns the peers that were held up and have read enough.
  mutating func retry() -> [Peer] {
    for peer in outboxes.retry({ [sockets] in sockets.send($0, to: $1) }) { lose(peer, because: .unreachable) }
    if heldUp.isEmpty { return [] }
    let released = heldUp.filter { !outboxes.holds($0) }
    heldUp.subtract(released)
    return Array(released)
  }

  mutating func forget(_ peer: Peer) { outboxes.drop(peer) }

  mutating func deliver(
    _ envelope: Envelope, to peer: Peer, for account: UInt64, with messages: inout OutgoingMessages<Peer>
  ) {
    if cutCalls.isEmpty { return send(envelope, to: peer, for: account, with: &messages) }
    guard let envelope = cutCalls.successor(envelope, to: peer) else { return }
    send(envelope, to: peer, for: account, with: &messages)
  }

  private mutating func send(
    _ envelope: Envelope, to peer: Peer, for account: UInt64, with messages: inout OutgoingMessages<Peer>
  ) {
    if account != 0, outboxes.holds(peer), !outboxes.admits(envelope.byteCount, for: peer, from: account) {
      cutCalls.cut(envelope.call, to: peer, because: .unread(by: "the caller"))
      return news.append(.unread(peer, call: envelope.call))
    }
    do throws(CodecError) {
      try messages.add(envelope, for: peer) { frames, peer in post(frames, to: peer) }
    } catch {
      sockets.report(.unencodable(why: "\(error)"))
      if envelope.kind != .status, envelope.call != 0 {
        cutCalls.cut(envelope.call, to: peer, because: .unwritten(for: "the caller"))
        news.append(.unwritten(peer, call: envelope.call))
      }
    }
  }

  mutating func post(_ frames: EnvelopeFrames, to peer: Peer) {
    if outboxes.holds(peer) { return keep(frames, for: peer) }
    switch sockets.send(frames, to: peer) {
    case .sent: break
    case .wouldBlock: keep(frames, for: peer)
    case .unreachable: lose(peer, because: .unreachable)
    }
  }

  private mutating func keep(_ frames: EnvelopeFrames, for peer: Peer) {
    let reserve = peer.door == .clients ? BusLimits.keptForServices : 0
    if !outboxes.add(frames, for: peer, of: peer.sharer, leaving: reserve) {
      lose(peer, because: .doesNotRead)
    } else if outboxes.byteCount(for: peer) > BusLimits.heldUpAbove, heldUp.insert(peer).inserted {
      news.append(.heldUp(peer))
    }
  }

  private mutating func lose(_ peer: Peer, because reason: RouterEvent.Reason) {
    cutCalls.lose(peer)
    news.append(.lost(peer, reason))
  }

  private struct Sockets {
    let doors: [GatewayDoor]
    let report: @Sendable (BusServer.Report) -> Void

    func send(_ frames: EnvelopeFrames, to peer: Peer) -> SendOutcome {
      guard let link = doors.door(of: Int(peer.link >> 32))?.link else { return .unreachable }
      let routing = RoutingID(number: UInt32(truncatingIfNeeded: peer.link))
      do throws(ZeroMQError) {
        return try link.send(frames.head.span, payload: frames.payload ?? [], to: routing)
      } catch {
        report(.unencodable(why: "\(error)"))
        return .unreachable
      }
    }
  }
}
