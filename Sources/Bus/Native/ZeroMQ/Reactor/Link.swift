/// A socket on a reactor. It is used only in the reactor's turns.
package final class Link {
  /// Unique among all links of the reactor, earlier ones included.
  package let id: Int
  /// About how many bytes a pass of a turn reads from this link: it stops after the message that reaches this number. A
  /// message counts with the size of its envelopes, and with a little for itself and for its payload.
  ///
  /// The results of what was read go out before more is read, so that their receivers work meanwhile.
  let share: Int
  /// Set to be notified when a dealer's link accepts messages again.
  package var awaitsRoom = false
  /// Whether messages may wait here that no descriptor reports: the socket was used since a receive found nothing.
  fileprivate(set) var mayHaveMore = true
  /// Whether events may wait in the same way on the socket that reports on the link's connections.
  private(set) var mayHaveEvents = true
  package fileprivate(set) var isOpen = true
  fileprivate let end: WatchedSocket

  fileprivate init(id: Int, share: Int, end: consuming WatchedSocket) {
    self.id = id
    self.share = share
    self.end = end
  }

  package func send(
    _ header: Span<UInt8>, payload: [UInt8] = [], to peer: RoutingID
  ) throws(ZeroMQError) -> SendOutcome {
    mayHaveMore = true
    return try end.socket.send(header, payload: payload, to: peer)
  }

  package func send(_ header: Span<UInt8>, payload: [UInt8] = []) throws(ZeroMQError) -> SendOutcome {
    mayHaveMore = true
    return try end.socket.send(header, payload: payload)
  }

  func receive(into inbound: inout Inbound) throws(ZeroMQError) -> ReceiveOutcome {
    let outcome = try end.socket.receive(into: &inbound)
    mayHaveMore = outcome != .nothing
    return outcome
  }

  /// Whether the link accepts messages now.
  func hasRoom() throws(ZeroMQError) -> Bool {
    let readiness = try end.socket.readiness()
    mayHaveMore = readiness.hasMessage
    return readiness.hasRoom
  }

  package func lastEndpoint() throws(ZeroMQError) -> String { try end.socket.lastEndpoint() }

  /// Notes that a descriptor of the link had an event.
  fileprivate func note(isReport: Bool) {
    if isReport { mayHaveEvents = true } else { mayHaveMore = true }
  }

  func nextEvent() throws(ZeroMQError) -> ConnectionEvent? {
    let event = try end.nextEvent()
    mayHaveEvents = event != nil
    return event
  }

  /// The descriptors that report events, with their keys.
  fileprivate func descriptors() throws(ZeroMQError) -> [(descriptor: Int32, key: UInt64)] {
    [(try end.socket.descriptor(), UInt64(2 * id)), (try end.reports.descriptor(), UInt64(2 * id + 1))]
  }
}

/// The links of one reactor, in the order in which they are served.
package final class Links {
  private let context: ZeroMQContext
  private let watch: SocketWatch
  /// Sockets of other protocols.
  package let guests: Guests
  private(set) var all: [Link] = []
  private var nextID = 0

  init(context: ZeroMQContext, watch: SocketWatch) {
    self.context = context
    self.watch = watch
    guests = Guests(watch: watch)
  }

  /// The share of most links: the envelopes of about a dozen calls.
  package static let usualShare = 2048

  /// Opens a socket and binds it to `endpoint`; it reports accepted connections.
  package func bind(
    _ options: SocketOptions, to endpoint: String, share: Int = usualShare
  ) throws(ZeroMQError) -> Link {
    let watched = try WatchedSocket(options, in: context)
    try watched.socket.bind(endpoint)
    return try add(Link(id: nextID, share: share, end: watched))
  }

  /// Opens a socket that connects to `endpoint`, repeatedly, and reports when it is connected.
  package func connect(_ options: SocketOptions, to endpoint: String) throws(ZeroMQError) -> Link {
    let watched = try WatchedSocket(options, in: context)
    try watched.socket.connect(endpoint)
    return try add(Link(id: nextID, share: Self.usualShare, end: watched))
  }

  /// Removes a link. Its socket closes when the last reference to it is released.
  package func close(_ link: Link) {
    link.isOpen = false
    all.removeAll { $0 === link }
    for (descriptor, _) in (try? link.descriptors()) ?? [] { watch.remove(descriptor) }
  }

  private func add(_ link: Link) throws(ZeroMQError) -> Link {
    nextID += 1
    for (descriptor, key) in try link.descriptors() { try watch.add(descriptor, as: key) }
    all.append(link)
    return link
  }

  /// Notes an event under the key of a link or guest. Events of closed links may still come, and change nothing.
  func note(_ key: UInt64) {
    if guests.note(key) { return }
    all.first { $0.id == Int(key / 2) }?.note(isReport: key % 2 == 1)
  }
}
