package import Base
package import Bus
package import Face
internal import RPC
internal import ServiceKit

/// The HTTP door: a server on the reactor's thread, with calls to the bus behind it.
package final class HTTPDoor: ReactorGuest {
  private let events: EventSet
  private let wakeup: Wakeup
  private let doorway: Doorway
  private let server: HTTPServer
  private let waiting: WaitingRequests
  private var nextSweep: MonotonicTime

  private static let serverKey: UInt64 = 0
  private static let wakeupKey: UInt64 = 1
  /// Connections have keys from here on.
  private static let firstConnection: UInt64 = 16
  private static let sweepInterval = Duration.seconds(1)

  /// - Parameters:
  ///   - room: the memory budget of all doors.
  ///   - pool: does work that takes long.
  ///   - noteRefusal: called with each connection that is refused.
  ///   - report: called with each call that is over.
  package init(
    _ configuration: HTTPServer.Configuration, port: CallPort, catalogue: Catalogue, gatekeeper: Gatekeeper,
    limits: HTTPLimits = HTTPLimits(), crossOrigin: CrossOrigin = CrossOrigin(),
    downloads: Downloads? = nil, passes: BrowserPasses? = nil, web: WebFiles? = nil,
    room: GatheringRoom = GatheringRoom(), pool: DoorPool = DoorPool(),
    noteRefusal: @escaping (_ address: String, _ why: String) -> Void = { _, _ in },
    report: @escaping (CallRecord) -> Void
  ) throws {
    let wakeup = try Wakeup()
    let doorway = Doorway(
      port: port, catalogue: catalogue, gatekeeper: gatekeeper, limits: limits, room: room,
      workshop: Workshop(on: pool) { wakeup.signal() }, wake: { wakeup.signal() }, report: report)
    let desk = HTTPRouter(doorway, crossOrigin: crossOrigin, downloads: downloads, passes: passes, web: web)
    let waiting = WaitingRequests()
    self.wakeup = wakeup
    self.doorway = doorway
    self.waiting = waiting
    events = try EventSet()
    server = try HTTPServer(
      configuration, at: port.now, open: { desk.open($0) }, noteSuspension: { waiting.add($0, at: port.now) },
      noteRefusal: noteRefusal)
    nextSweep = port.now + Self.sweepInterval
    try events.add(server.descriptor, as: Self.serverKey)
    try events.add(wakeup.descriptor, as: Self.wakeupKey)
  }

  deinit {
    server.stop()
  }

  /// The port that was bound.
  package var boundPort: UInt16 { server.port }
  package var connectionCount: Int { server.connectionCount }
  package var openRequests: Int { server.openRequests }

  // MARK: - A guest of the reactor

  package var descriptor: Int32 { events.descriptor }

  package func read(at now: MonotonicTime) {
    events.takeAll { key in
      switch key {
      case Self.serverKey: break
      case Self.wakeupKey: wakeup.clear()
      default: ended(key - Self.firstConnection)
      }
    }
    server.run(at: now)
  }

  /// The peer of a connection has gone while its request was waiting.
  private func ended(_ number: UInt64) {
    guard let connection = server.connection(number) else { return }
    connection.hasEnded = true
    // If the request does not wait, the library reads or writes next, and notices by itself.
    if let request = connection.request, request.isSuspended { request.abandon() }
  }

  package func write(at now: MonotonicTime) -> MonotonicTime? {
    // Set first, because requests that go on below note how long they waited.
    server.now = now
    doorway.deliver()
    let review = doorway.review(at: now)
    var runs = 0
    // A request that the server reads may be answered at once, which makes the server run again.
    while server.wantsRun, runs < 4 {
      server.run(at: now)
      runs += 1
    }
    for request in waiting.takeLong(at: now) {
      request.connection.hasEnded ? request.abandon() : watchEnd(of: request.connection)
    }
    if now >= nextSweep {
      nextSweep = now + Self.sweepInterval
      server.endSlowConnections(at: now)
    }
    // Without connections no sweep is due.
    let sweep = server.connectionCount > 0 ? nextSweep : nil
    let next = [server.wantsRun ? now : nil, server.nextRun, waiting.nextDue, sweep, review, doorway.heldUntil]
    return next.compactMap(\.self).min()
  }

  private func watchEnd(of connection: ServerConnection) {
    guard !connection.isWatched else { return }
    connection.isWatched = events.addEnd(
      of: connection.descriptor, as: Self.firstConnection + connection.number)
  }

  package func drain(at now: MonotonicTime) { server.drain() }

  package var isDrained: Bool { server.openRequests == 0 }
}

/// Requests that wait, oldest first. The library does not watch the connections of suspended requests, so those of
/// requests that have waited for long are watched here for their end. Most answers come so soon that watching would not
/// pay.
final class WaitingRequests {
  private var line: [(request: WeakRequest, due: MonotonicTime)] = []
  private var first = 0

  private struct WeakRequest {
    weak var request: ServerRequest?
  }

  /// A request that has waited for this long is watched, so that it is noticed when its caller goes.
  private static let patience = Duration.milliseconds(20)

  func add(_ request: ServerRequest, at now: MonotonicTime) {
    guard !request.connection.isWatched || request.connection.hasEnded else { return }
    line.append((WeakRequest(request: request), now + Self.patience))
  }

  var nextDue: MonotonicTime? { first < line.count ? line[first].due : nil }

  /// Removes and returns the requests that have waited for long and still wait.
  func takeLong(at now: MonotonicTime) -> [ServerRequest] {
    var found: [ServerRequest] = []
    while first < line.count, line[first].due <= now {
      if let request = line[first].request.request, request.isSuspended { found.append(request) }
      first += 1
    }
    if first == line.count {
      line.removeAll(keepingCapacity: line.capacity <= 4096)
      first = 0
    } else if first > 1024 {
      line.removeFirst(first)
      first = 0
    }
    return found
  }
}
