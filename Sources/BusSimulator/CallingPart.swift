internal import Base
internal import Bus
internal import RPC
internal import Wire

/// The part of a process that makes calls: the client machine, and the callers that use it.
final class CallingPart: Dialer {
  unowned let node: Node
  private var machine: Client
  private var calls: [UInt64: ScriptedCall] = [:]
  private var lastNumber: UInt64 = 0

  let isWorker = false
  var isBusy: Bool { !calls.isEmpty }

  init(node: Node) {
    self.node = node
    let hello = Hello(instance: "\(node.name), life \(node.life)", epoch: 0, role: .client)
    var configuration = ClientConfiguration()
    configuration.timings = World.timings
    machine = Client(
      configuration: configuration, hello: hello, epoch: 1, seed: node.world.chance.word(), at: node.world.now)
  }

  var nextWake: MonotonicTime {
    node.world.sabotage.stopsClock(of: self) ? MonotonicTime.never : machine.nextWake
  }

  func connected(_ link: LinkID, at now: MonotonicTime) { machine.connected(link, at: now) }
  func disconnected(_ link: LinkID, at now: MonotonicTime) { machine.disconnected(link, at: now) }
  func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    machine.receive(envelope, on: link, at: now)
  }

  // MARK: - For callers

  func open(_ call: ScriptedCall, _ request: (_ number: UInt64) -> ClientRequest) -> UInt64 {
    lastNumber += 1
    calls[lastNumber] = call
    machine.open(request(lastNumber), at: node.world.now)
    return lastNumber
  }

  func send(_ number: UInt64, _ message: [UInt8]) { machine.send(number, MessageRun(message), at: node.world.now) }
  func halfClose(_ number: UInt64) { machine.halfClose(number, at: node.world.now) }
  func consumed(_ number: UInt64, bytes: Int) {
    machine.consumed(number, ReadCount(bytes: bytes, messages: 1), at: node.world.now)
  }
  func cancel(_ number: UInt64) { machine.cancel(number, at: node.world.now) }

  // MARK: - Hosting

  /// Carries out the machine's actions; false when it had none.
  func settle() -> Bool {
    let now = node.world.now
    if nextWake <= now { machine.advance(to: now) }
    var moved = false
    machine.flush { link, envelope in
      moved = true
      node.world.network.send(envelope, from: self, link: link)
    }
    for action in machine.takeActions() {
      moved = true
      perform(action)
    }
    return moved
  }

  private func perform(_ action: ClientAction) {
    switch action {
    case .initialMetadata(let request, _): calls[request.number]?.sawMetadata()
    case .messages(let request, let messages):
      for message in messages { calls[request.number]?.received(Array(message)) }
    case .accepted(let request, let bytes): calls[request.number]?.accepted(bytes)
    case .answered(let request, let message): end(request.number, with: .ok, last: message)
    case .ended(let request, let status, let last): end(request.number, with: status, last: last)
    }
  }

  private func end(_ number: UInt64, with status: Status, last: [UInt8]?) {
    calls[number]?.receivedLast(last, with: status)
    switch node.world.sabotage.ending(in: node.world) {
    case .asItIs: end(number, with: status)
    case .swallowed: break
    case .twice:
      end(number, with: status)
      end(number, with: status)
    case .failed: end(number, with: Status(.unavailable, "the saboteur says so"))
    }
  }

  private func end(_ number: UInt64, with status: Status) {
    guard let call = calls.removeValue(forKey: number) else {
      return node.world.fail("\(node.name): call \(number) has a second outcome, \(status)")
    }
    call.ended(status)
  }

  /// Faults that are found after everything has ended.
  func leftovers() -> [String] {
    let open = calls.keys.sorted().map { "call \($0), \(calls[$0]?.script.method.path ?? ""), has no outcome" }
    return open + machine.faults(atRest: true)
  }

  func faults() -> [String] { machine.faults(atRest: false) }
  func clear() { calls = [:] }
}

/// A process that only makes calls.
final class ClientNode: Node {
  private(set) var calling: CallingPart?

  override func begin() {
    let part = CallingPart(node: self)
    calling = part
    world.dialAll(from: part)
  }

  override func die() {
    calling?.clear()
    calling = nil
    world.network.severAll { $0.dialer.node === self }
  }

  override var nextWake: MonotonicTime { calling?.nextWake ?? super.nextWake }

  override func settle() {
    while calling?.settle() == true {}
  }

  override func faults() -> [String] { calling?.faults() ?? [] }
}
