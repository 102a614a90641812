internal import Base
internal import Bus
internal import RPC

/// A service process: a worker machine with scripted handlers, and a client machine for the calls that they make.
final class WorkerNode: Node, Dialer {
  private let services: [Int]
  private let slots: Int
  private let prefetch: Int
  private var machine: Worker?
  private(set) var calling: CallingPart?
  private var handlers: [UInt64: ScriptedHandler] = [:]

  let isWorker = true
  var node: Node { self }

  init(name: String, services: [Int], slots: Int, prefetch: Int, world: World) {
    self.services = services
    self.slots = slots
    self.prefetch = prefetch
    super.init(name: name, world: world)
  }

  func serves(_ service: String) -> Bool { services.contains { Contract.service($0) == service } }

  override func begin() {
    var hello = Hello(instance: "\(name), life \(life)", epoch: 0, role: .worker)
    hello.services = services.map {
      Hello.ServiceOffer(name: Contract.service($0), methods: Contract.methods(of: $0))
    }
    var configuration = WorkerConfiguration(slots: slots)
    configuration.timings = World.timings
    configuration.prefetch = prefetch
    machine = Worker(
      configuration: configuration, hello: hello, epoch: UInt64(world.now.nanoseconds / 1_000_000), at: world.now)
    let part = CallingPart(node: self)
    calling = part
    world.dialAll(from: self)
    world.dialAll(from: part)
  }

  override func die() {
    for handler in handlers.values { handler.forget() }
    handlers = [:]
    calling?.clear()
    calling = nil
    machine = nil
    world.network.severAll(where: { $0.dialer.node === self }, isOrderly: isLeaving)
  }

  /// Stops like a process that was asked to.
  override func drain() {
    machine?.drain(at: world.now)
  }

  override var nextWake: MonotonicTime {
    min(machine?.nextWake ?? super.nextWake, calling?.nextWake ?? super.nextWake)
  }

  // MARK: - Dialer

  func connected(_ link: LinkID, at now: MonotonicTime) { machine?.connected(link, at: now) }
  func disconnected(_ link: LinkID, at now: MonotonicTime) { machine?.disconnected(link, at: now) }
  func receive(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    machine?.receive(envelope, on: link, at: now)
  }

  // MARK: - For handlers

  func waits(_ call: UInt64) { machine?.waits(call, at: world.now) }
  func resumes(_ call: UInt64) { machine?.resumes(call, at: world.now) }
  func consumed(_ call: UInt64, bytes: Int) {
    machine?.consumed(call, ReadCount(bytes: bytes, messages: 1), at: world.now)
  }
  func send(_ call: UInt64, _ message: [UInt8]) {
    machine?.send(call, MessageRun(message), initialMetadata: [:], at: world.now)
  }

  func finish(_ call: UInt64, with status: Status, answer: [UInt8]?) {
    handlers[call] = nil
    guard !world.sabotage.forgetsToFinish(in: world) else { return }
    machine?.finish(call, with: status, answer: answer, initialMetadata: [:], at: world.now)
  }

  // MARK: - Hosting

  override func faults() -> [String] { (machine?.faults(atRest: false) ?? []) + (calling?.faults() ?? []) }

  override func settle() {
    repeat {
      if let wake = machine?.nextWake, wake <= world.now { machine?.advance(to: world.now) }
    } while carryOut() || calling?.settle() == true
    if isLeaving, machine?.isDrained == true { world.faults.restart(self) }
  }

  private func carryOut() -> Bool {
    var moved = false
    machine?.flush { link, envelope in
      moved = true
      world.network.send(envelope, from: self, link: link)
    }
    for action in machine?.takeActions() ?? [] {
      moved = true
      switch action {
      case .start(let call, let start, let request):
        let handler = ScriptedHandler(call: call, start: start, request: request, at: self)
        handlers[call] = handler
        handler.begin()
      case .requests(let call, let messages): for message in messages { handlers[call]?.received(Array(message)) }
      case .requestsEnded(let call): handlers[call]?.requestsEnded()
      case .accepted(let call, let bytes): handlers[call]?.accepted(bytes)
      case .cancel(let call, let status): handlers[call]?.cancelled(because: status)
      }
    }
    return moved
  }

  /// Faults that are found after everything has ended.
  func leftovers() -> [String] {
    let open = handlers.keys.sorted().map { "handler \($0) never ended" }
    return open + (machine?.faults(atRest: true) ?? []) + (calling?.leftovers() ?? [])
  }
}
