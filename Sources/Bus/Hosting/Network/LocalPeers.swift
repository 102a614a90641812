internal import Base

/// Workers and clients inside the gateway's own process, which exchange envelopes with the router without a socket.
struct LocalPeers {
  private var workers: [UInt64: LocalWorker] = [:]
  private var clients: [UInt64: ClientDriver] = [:]
  /// Whether one of them has changed: most turns of a gateway do not concern them.
  private var hasNews = false
  private(set) var nextWake: MonotonicTime?

  private struct LocalWorker {
    var driver: WorkerDriver
    let host: any WorkerHost
  }

  mutating func add(_ driver: WorkerDriver, host: any WorkerHost, as number: UInt64, at now: MonotonicTime) {
    var driver = driver
    driver.machine.connected(0, at: now)
    workers[number] = LocalWorker(driver: driver, host: host)
    hasNews = true
  }

  mutating func add(_ driver: ClientDriver, as number: UInt64, at now: MonotonicTime) {
    var driver = driver
    driver.machine.connected(0, at: now)
    clients[number] = driver
    hasNews = true
  }

  mutating func apply(_ input: WorkerInput, to number: UInt64, at now: MonotonicTime) {
    workers[number]?.driver.apply(input, at: now)
    hasNews = true
  }

  mutating func apply(_ input: ClientInput, to number: UInt64, at now: MonotonicTime) {
    clients[number]?.apply(input, at: now)
    hasNews = true
  }

  mutating func receive(_ envelope: Envelope, for number: UInt64, at now: MonotonicTime) {
    workers[number]?.driver.machine.receive(envelope, on: 0, at: now)
    clients[number]?.machine.receive(envelope, on: 0, at: now)
    hasNews = true
  }

  mutating func advance(to now: MonotonicTime) {
    guard let nextWake, nextWake <= now else { return }
    hasNews = true
    for number in workers.keys { _ = workers[number]?.driver.machine.advanceIfDue(to: now) }
    for number in clients.keys { _ = clients[number]?.machine.advanceIfDue(to: now) }
  }

  /// Passes their envelopes to the router.
  mutating func flush(into router: inout Router, at now: MonotonicTime) {
    guard hasNews else { return }
    for number in clients.keys {
      clients[number]?.machine.flush { _, envelope in
        router.receive(envelope, from: Peer(door: .local, link: number), credentials: Self.credentials, at: now)
      }
    }
    for number in workers.keys {
      workers[number]?.driver.machine.flush { _, envelope in
        router.receive(envelope, from: Peer(door: .local, link: number), credentials: Self.credentials, at: now)
      }
    }
  }

  mutating func takeDeliveries(into deliveries: inout [Delivery]) {
    guard hasNews else { return }
    hasNews = false
    for number in clients.keys { clients[number]?.takeDeliveries(into: &deliveries) }
    for number in workers.keys {
      guard let host = workers[number]?.host else { continue }
      workers[number]?.driver.takeDeliveries(for: host, into: &deliveries)
    }
    nextWake = (workers.values.map(\.driver.machine.nextWake) + clients.values.map(\.machine.nextWake)).min()
  }

  private static let credentials = PeerCredentials.service(named: "gateway")
}
