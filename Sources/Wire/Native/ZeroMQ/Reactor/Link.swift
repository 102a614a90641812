/// A socket on a reactor. It is used on the reactor's thread only.
package final class Link {
  /// Unlike that of any other link of the reactor, earlier ones included.
  package let id: Int
  /// How many messages the reactor takes from here before it looks at the others.
  let batchLimit: Int
  /// Set to be told when a dealer's link takes messages again.
  package var awaitsRoom = false
  /// Whether messages may wait here of which no descriptor tells: the socket was used since a receive found nothing.
  fileprivate(set) var mayHaveMore = true
  /// The same for what reports on its connections.
  private(set) var mayHaveEvents = true
  package fileprivate(set) var isOpen = true
  fileprivate let end: End

  fileprivate enum End: ~Copyable {
    case bound(Socket)
    case connecting(WatchedSocket)
  }

  fileprivate init(id: Int, batchLimit: Int, end: consuming End) {
    self.id = id
    self.batchLimit = batchLimit
    self.end = end
  }

  package func send(
    _ header: Span<UInt8>, payload: [UInt8] = [], to peer: RoutingID
  ) throws(ZeroMQError) -> SendOutcome {
    mayHaveMore = true
    return switch end {
    case .bound(let socket): try socket.send(header, payload: payload, to: peer)
    case .connecting(let watched): try watched.socket.send(header, payload: payload, to: peer)
    }
  }

  package func send(_ header: Span<UInt8>, payload: [UInt8] = []) throws(ZeroMQError) -> SendOutcome {
    mayHaveMore = true
    return switch end {
    case .bound(let socket): try socket.send(header, payload: payload)
    case .connecting(let watched): try watched.socket.send(header, payload: payload)
    }
  }

  func receive(into inbound: inout Inbound) throws(ZeroMQError) -> ReceiveOutcome {
    let outcome =
      switch end {
      case .bound(let socket): try socket.receive(into: &inbound)
      case .connecting(let watched): try watched.socket.receive(into: &inbound)
      }
    mayHaveMore = outcome != .nothing
    return outcome
  }

  /// Whether the link takes messages now.
  func hasRoom() throws(ZeroMQError) -> Bool {
    let readiness =
      switch end {
      case .bound(let socket): try socket.readiness()
      case .connecting(let watched): try watched.socket.readiness()
      }
    mayHaveMore = readiness.hasMessage
    return readiness.hasRoom
  }

  package func lastEndpoint() throws(ZeroMQError) -> String {
    switch end {
    case .bound(let socket): try socket.lastEndpoint()
    case .connecting(let watched): try watched.socket.lastEndpoint()
    }
  }

  func nextEvent() throws(ZeroMQError) -> ConnectionEvent? {
    let event: ConnectionEvent? =
      switch end {
      case .bound: nil
      case .connecting(let watched): try watched.nextEvent()
      }
    mayHaveEvents = event != nil
    return event
  }

  /// Has `watch` wait for the socket and for reports of its connections; the answer is where it keeps their news.
  func join(_ watch: inout SocketWatch) throws(ZeroMQError) -> (socket: Int, reports: Int?) {
    // The watch does not know yet what came before.
    mayHaveMore = true
    mayHaveEvents = true
    return switch end {
    case .bound(let socket): (try watch.add(socket), nil)
    case .connecting(let watched): (try watch.add(watched.socket), try watch.add(watched.reports))
    }
  }
}

/// The links of one reactor, in the order in which they are served.
package final class Links {
  private let context: ZeroMQContext
  private(set) var all: [Link] = []
  /// Changes whenever a link comes or goes.
  private(set) var revision = 0
  private var nextID = 0

  init(context: ZeroMQContext) {
    self.context = context
  }

  /// Opens a socket and binds it to `endpoint`.
  package func bind(
    _ options: SocketOptions, to endpoint: String, batchLimit: Int = 256
  ) throws(ZeroMQError) -> Link {
    let socket = try Socket(options, in: context)
    try socket.bind(endpoint)
    return add(Link(id: nextID, batchLimit: batchLimit, end: .bound(socket)))
  }

  /// Opens a socket that connects to `endpoint`, again and again, and reports when it does.
  package func connect(
    _ options: SocketOptions, to endpoint: String, batchLimit: Int = 256
  ) throws(ZeroMQError) -> Link {
    let watched = try WatchedSocket(options, in: context)
    try watched.socket.connect(endpoint)
    return add(Link(id: nextID, batchLimit: batchLimit, end: .connecting(watched)))
  }

  /// Serves a link no more. Its socket closes when the last reference to it goes.
  package func close(_ link: Link) {
    link.isOpen = false
    all.removeAll { $0 === link }
    revision += 1
  }

  private func add(_ link: Link) -> Link {
    all.append(link)
    nextID += 1
    revision += 1
    return link
  }
}
