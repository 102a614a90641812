internal import Base
internal import Bus
internal import RPC

/// Ways to break a promise of the bus on purpose, to see whether the simulator notices.
public enum Sabotage: String, Sendable, CaseIterable {
  /// A client's host loses the outcome of a call.
  case swallowOutcome
  /// A client's host reports an outcome twice.
  case repeatOutcome
  /// A gateway hands an unkeyed call over a second time.
  case repeatOpen
  /// Keyed calls lose their key on the way.
  case loseKey
  /// The rest of a stream of answers is lost, and its STATUS is not.
  case truncateStream
  /// A byte of a chunk becomes another one.
  case corruptChunk
  /// A gateway assumes that a worker has granted more than it did.
  case inflateCredit
  /// A gateway assumes that a worker has granted nothing after HELLO.
  case loseCredit
  /// A sender assumes a larger window than it has.
  case inflateWindow
  /// A worker's host forgets that a handler has ended.
  case forgetToFinish
  /// A client's host never looks at the clock.
  case stopClock
  /// A gateway lets one client wait for as long as another one has calls open.
  case starveClient
  /// A client's host reports a failure that no fault explains, after a fault that may explain others.
  case inventFailure
}

/// Carries out one kind of sabotage, from some moment on.
struct Saboteur {
  let kind: Sabotage?
  private var truncated: Set<UInt64> = []

  init(_ kind: Sabotage?) {
    self.kind = kind
  }

  enum Ending {
    case asItIs, swallowed, twice, failed
  }

  mutating func ending(in world: World) -> Ending {
    switch kind {
    case .swallowOutcome where strikes(in: world, 0.2): .swallowed
    case .repeatOutcome where strikes(in: world, 0.2): .twice
    case .inventFailure where !world.report.hardships.isEmpty && strikes(in: world, 0.5): .failed
    default: .asItIs
    }
  }

  mutating func forgetsToFinish(in world: World) -> Bool {
    kind == .forgetToFinish && strikes(in: world, 0.2)
  }

  func stopsClock(of part: CallingPart) -> Bool { kind == .stopClock && part.node is ClientNode }

  /// The envelope to pass on; nil to drop it.
  mutating func passing(
    _ envelope: Envelope, on connection: Connection, towardsGateway: Bool, in world: World
  ) -> Envelope? {
    guard let kind else { return envelope }
    let isFromWorker = connection.dialer.isWorker && towardsGateway
    let isToWorker = connection.dialer.isWorker && !towardsGateway
    var changed = envelope
    switch (kind, envelope.kind) {
    case (.repeatOpen, .open) where isToWorker && envelope.idempotencyKey.isEmpty:
      guard strikes(in: world, 0.3) else { break }
      var again = envelope
      again.call &+= 1 << 60
      world.plan(after: .milliseconds(1)) { _ = world.network.send(again, ofStream: false, on: connection) }
    case (.loseKey, .open) where isToWorker && !envelope.idempotencyKey.isEmpty:
      if strikes(in: world, 0.3) { changed.idempotencyKey = "" }
    case (.truncateStream, .data) where isFromWorker:
      if truncated.contains(envelope.call) { return nil }
      guard strikes(in: world, 0.5) else { break }
      truncated.insert(envelope.call)
      return nil
    case (.corruptChunk, .data) where !envelope.payload.isEmpty:
      if strikes(in: world, 0.5) { changed.payload[changed.payload.count - 1] ^= 0xFF }
    case (.starveClient, .open) where towardsGateway && envelope.carriesMessage && starves(connection, in: world):
      world.report.wasSabotaged = true
      let (dialer, link) = (connection.dialer, connection.link)
      world.plan(after: .milliseconds(10)) { world.network.send(envelope, from: dialer, link: link) }
      return nil
    case (.inflateCredit, _) where isFromWorker && envelope.credit > 0:
      world.report.wasSabotaged = true
      changed.credit += 3
    case (.loseCredit, _) where isFromWorker && envelope.kind != .hello:
      world.report.wasSabotaged = true
      changed.credit = 0
      if envelope.kind == .credit { return nil }
    case (.inflateWindow, .window):
      world.report.wasSabotaged = true
      changed.offset += 100_000
    default: break
    }
    return changed
  }

  private func starves(_ connection: Connection, in world: World) -> Bool {
    guard let first = world.clients.first, let last = world.clients.last, first !== last else { return false }
    return connection.dialer.node === last && first.calling?.isBusy == true
  }

  private mutating func strikes(in world: World, _ probability: Double) -> Bool {
    guard world.chance.happens(probability) else { return false }
    world.report.wasSabotaged = true
    return true
  }
}
