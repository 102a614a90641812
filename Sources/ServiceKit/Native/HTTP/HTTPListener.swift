internal import Base
internal import Bus
internal import Glibc
internal import HTTP1
internal import Synchronization

/// The response to a request. It depends on the request's method and path alone; a request's body is ignored.
struct HTTPAnswer: Sendable, Hashable {
  var status: Int
  var contentType = "text/plain; charset=utf-8"
  var headers: [String: String] = [:]
  var body: String
}

/// A small HTTP server for operators of a process: few connections, one thread, no bodies.
final class HTTPListener: Sendable {
  let endpoint: Endpoint
  private let wakeup: Wakeup
  private let isOver = BlockingQueue<Void>()

  typealias Respond = @Sendable (_ method: String, _ path: String) -> HTTPAnswer

  init(_ wanted: Endpoint, respond: @escaping Respond) throws {
    let listener = try ListeningSocket(wanted)
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    endpoint = listener.endpoint
    NativeThread.start(name: "operations", stackBytes: 512 << 10) { [isOver] in
      OperationsLoop(listener, wakeup, respond).run()
      _ = isOver.push(())
    }
  }

  /// Closes the port and every connection, and waits for an answer that is being made.
  deinit {
    wakeup.signal()
    _ = isOver.pop()
  }
}

/// Serves the connections on its thread.
private final class OperationsLoop {
  private let listener: ListeningSocket
  private let wakeup: Wakeup
  private let respond: HTTPListener.Respond
  private let clock = Base.Clock.system
  /// Oldest first. When there are too many, each new one ends the oldest, so that a client with many open, idle or
  /// half-closed connections keeps nobody else out.
  private var connections: [OperationsConnection] = []
  private var buffer = [UInt8](repeating: 0, count: 4096)

  private static let mostConnections = 32
  private static let longestRest = Duration.seconds(10)

  init(_ listener: ListeningSocket, _ wakeup: Wakeup, _ respond: @escaping HTTPListener.Respond) {
    self.listener = listener
    self.wakeup = wakeup
    self.respond = respond
  }

  func run() {
    while true {
      var items = [wakeup.descriptor, listener.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      items += connections.map {
        pollfd(fd: $0.socket.descriptor, events: Int16($0.output.isEmpty ? POLLIN : POLLOUT), revents: 0)
      }
      // Without connections there is nothing that could rest for too long.
      let patience: Int32 = connections.isEmpty ? -1 : 1000
      _ = unsafe poll(&items, nfds_t(items.count), patience)
      if items[0].revents != 0 { return }
      let now = clock.monotonic
      for (connection, item) in zip(connections, items.dropFirst(2)) where item.revents != 0 {
        connection.serve(using: &buffer, respond, at: now)
      }
      connections.removeAll { $0.isOver || now - $0.lastMoved > Self.longestRest }
      if items[1].revents != 0 { acceptAll(at: now) }
    }
  }

  private func acceptAll(at now: MonotonicTime) {
    while let (descriptor, _) = listener.accept() {
      connections.append(OperationsConnection(ConnectedSocket(owning: descriptor), at: now))
      if connections.count > Self.mostConnections { connections.removeFirst() }
    }
  }
}

/// A connection of an operator.
private final class OperationsConnection {
  let socket: ConnectedSocket
  private(set) var lastMoved: MonotonicTime
  /// What has still to be sent.
  private(set) var output: [UInt8] = []
  private(set) var isOver = false
  private var reader = RequestReader()
  private var head: ReceivedHead?
  private var isLast = false
  private var date = HTTPDate()

  init(_ socket: ConnectedSocket, at now: MonotonicTime) {
    self.socket = socket
    lastMoved = now
  }

  /// Reads, answers and sends what can be without waiting.
  func serve(using buffer: inout [UInt8], _ respond: HTTPListener.Respond, at now: MonotonicTime) {
    lastMoved = now
    if output.isEmpty { read(using: &buffer, respond) }
    while !output.isEmpty, !isOver {
      switch socket.write(output.span) {
      case .done(let count): output.removeFirst(count)
      case .wouldBlock: return
      case .ended, .broken: isOver = true
      }
    }
    if isLast { isOver = true }
  }

  private func read(using buffer: inout [UInt8], _ respond: HTTPListener.Respond) {
    switch socket.read(into: &buffer) {
    case .done(let count):
      reader.append(buffer.span.extracting(0..<count))
      answer(respond)
    case .wouldBlock: return
    case .ended, .broken: isOver = true
    }
  }

  private func answer(_ respond: HTTPListener.Respond) {
    do throws(RequestFault) {
      while !isLast, let event = try reader.next() {
        switch event {
        case .head(let head): self.head = head
        case .body: continue
        case .end:
          guard let head else { continue }
          isLast = !head.keepsConnection
          let path = head.target.prefix { $0 != "?" }
          write(respond(head.method, String(path)), hasBody: head.method != "HEAD")
        }
      }
    } catch {
      isLast = true
      write(HTTPAnswer(status: error.status, body: error.reason + "\n"), hasBody: true)
    }
  }

  private func write(_ answer: HTTPAnswer, hasBody: Bool) {
    let fields = [("Content-Type", answer.contentType)] + answer.headers.map { ($0.key, $0.value) }
    let body = Array(answer.body.utf8)
    ResponseHead.append(
      answer.status, fields, .length(body.count), closes: isLast, date: date.text(at: Base.Clock.system.now),
      to: &output)
    if hasBody { output += body }
  }
}
