internal import Wire

/// The purpose of a connection. A process has a separate one to each gateway for each purpose.
enum ConnectionPart {
  case client
  case worker
}

/// One socket that leads to a gateway.
final class Connection {
  let link: Link
  let part: ConnectionPart
  let endpoint: String

  init(link: Link, part: ConnectionPart, endpoint: String) {
    self.link = link
    self.part = part
    self.endpoint = endpoint
  }
}

/// The connections to all gateways, and the messages that wait on each.
struct Connections: ~Copyable {
  private var all = LinkMap<Connection>()
  private var outboxes = Outboxes<LinkID, LinkID>(bytesEach: 64 << 20)
  /// Links for which so much waits that the last message found no room.
  private var overflowed: Set<LinkID> = []
  private let report: @Sendable (BusConnection.Report) -> Void

  init(report: @escaping @Sendable (BusConnection.Report) -> Void) {
    self.report = report
  }

  // MARK: - The set of connections

  subscript(id: LinkID) -> Connection? { all.value(of: id) }

  var ids: [LinkID] { all.links }

  func endpoint(of link: Link) -> String { self[link.id]?.endpoint ?? "" }

  mutating func add(_ connection: Connection) { all.add(connection.link.id, connection) }

  mutating func remove(_ connection: Connection) {
    all.remove(connection.link.id)
    forgetWaiting(on: connection.link)
  }

  // MARK: - Output

  /// Appends an envelope to what goes out on its link in this turn. Returns why it cannot be encoded, if so.
  @discardableResult
  mutating func deliver(
    _ envelope: Envelope, on id: LinkID, with messages: inout OutgoingMessages<LinkID>
  ) -> CodecError? {
    do throws(CodecError) {
      try messages.add(envelope, for: id) { frames, id in post(frames, on: id) }
      return nil
    } catch {
      report(.unencodable(endpoint: self[id]?.endpoint ?? "", why: "\(error)"))
      return error
    }
  }

  mutating func post(_ frames: EnvelopeFrames, on id: LinkID) {
    guard let link = self[id]?.link else { return }
    if !outboxes.holds(id), link.take(frames) == .sent { return }
    link.awaitsRoom = true
    if !outboxes.add(frames, for: id, of: id) { overflowed.insert(id) }
  }

  mutating func roomAvailable(on link: Link) {
    _ = outboxes.retry { frames, id in id == link.id ? link.take(frames) : .wouldBlock }
    link.awaitsRoom = outboxes.holds(link.id)
  }

  mutating func forgetWaiting(on link: Link) {
    outboxes.drop(link.id)
    link.awaitsRoom = false
  }

  /// Returns the connections on which a message found no room, and drops all that waits there. Each needs a new
  /// session, because envelopes are missing from the old one.
  mutating func takeOverflowed() -> [Connection] {
    guard !overflowed.isEmpty else { return [] }
    let stalled = overflowed.compactMap { all.value(of: $0) }
    overflowed.removeAll()
    for connection in stalled { forgetWaiting(on: connection.link) }
    return stalled
  }
}

extension Link {
  /// Sends a message to the gateway.
  fileprivate func take(_ frames: EnvelopeFrames) -> SendOutcome {
    do throws(ZeroMQError) {
      return try send(frames.head.span, payload: frames.payload ?? [])
    } catch {
      // A dealer's sends fail only while its socket closes.
      return .wouldBlock
    }
  }
}
