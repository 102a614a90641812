import Base
import InteropContract
import RPC
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// Calls share tasks, one after another, and notice nothing of each other.
@Suite struct CallTasksTests {
  @Test("calls that follow each other are answered by the same task") func sharing() async throws {
    let tasks = Mutex<Set<Int>>([])
    var service = ClosureService()
    service.look = { request, _ in
      let task = unsafe withUnsafeCurrentTask { unsafe $0.hashValue }
      tasks.withLock { _ = $0.insert(task) }
      return request
    }
    let bus = InProcessBus()
    bus.serve([service])
    let channel = bus.channel()
    for number in 0..<100 { #expect(try await channel.ask(ClosureService.look, "\(number)") == "\(number)") }
    // The answer can arrive before the task rests, and then the next call gets another one.
    #expect(tasks.withLock(\.count) < 20)
  }

  @Test("no handler finds its task cancelled by the end of another call", arguments: [1, 4])
  func cancelled(slots: Int) async throws {
    let notes = Notes()
    let cancelledOnes = Mutex(0)
    let looks = Mutex(0)
    var service = ClosureService()
    service.outer = { request, _ in
      notes.add("begun")
      // It is cancelled while it sleeps, or right before its end.
      for _ in 0..<Int.random(in: 1...50) where !Task.isCancelled { try? await Task.sleep(for: .microseconds(20)) }
      return request
    }
    service.look = { request, _ in
      looks.withLock { $0 += 1 }
      if Task.isCancelled { cancelledOnes.withLock { $0 += 1 } }
      await Task.yield()
      if Task.isCancelled { cancelledOnes.withLock { $0 += 1 } }
      return request
    }
    let bus = InProcessBus()
    bus.serve([service], slots: slots)
    let channel = bus.channel()
    for round in 1...200 {
      let call = Task { try await channel.ask(ClosureService.outer) }
      _ = await notes.wait(for: round)
      call.cancel()
      for _ in 0..<3 { #expect(try await channel.ask(ClosureService.look, "x") == "x") }
      _ = try? await call.value
    }
    #expect(cancelledOnes.withLock(\.self) == 0)
    #expect(looks.withLock(\.self) == 600)
  }

  @Test("a call sees nothing of the task in which its caller made it") func callersTask() async throws {
    let notes = Notes()
    var service = ClosureService()
    service.look = { request, _ in
      notes.add(Marked.mark)
      return request
    }
    let bus = InProcessBus()
    bus.serve([service])
    let channel = bus.channel()
    try await Marked.$mark.withValue("the caller's") { _ = try await channel.ask(ClosureService.look) }
    _ = try await channel.ask(ClosureService.look)
    #expect(notes.all == ["none", "none"])
  }

  private enum Marked {
    @TaskLocal static var mark = "none"
  }

  @Test("idle tasks end with the handlers that they are for") func end() async throws {
    weak var tasks: CallTasks?
    do {
      let handlers = HandlerSet(services: [ClosureService()], report: { _, _, _ in })
      let handler = try #require(handlers.served(ClosureService.look))
      let host = SilentHost()
      for number in UInt64(0)..<100 {
        let start = WorkerStart(
          Envelope(.open), method: ClosureService.look, at: 0, deadline: Clock.system.monotonic + .seconds(60), from: ""
        )
        ServerCall(number, start, request: [], of: handler, host: host).run()
      }
      _ = await host.notes.wait(for: 100)
      tasks = handlers.tasks
      #expect(tasks != nil)
    }
    try await eventually("they end", tasks == nil)
  }

  @Test("an answer goes out although its task goes on, with the next call, on the same thread") func promise()
    async throws
  {
    let performed = try Wakeup()
    let reactor = try Reactor<SignallingHost>.start(name: "promise", in: try ZeroMQContext()) { _ in
      SignallingHost(performed)
    }
    reactor.grow(to: 3)
    let wasSent = Task(executorPreference: reactor.executor) {
      reactor.inbox.submit((), isLast: true)
      ReactorThreadPool.requestPromisedTurn()
      // The next call blocks the thread.
      return performed.wait(.seconds(10))
    }
    #expect(await wasSent.value)
    try await reactor.stop()
  }

  /// Signals when it gets work.
  private struct SignallingHost: ReactorHost {
    let performed: Wakeup

    init(_ performed: Wakeup) {
      self.performed = performed
    }

    func startTurn(at now: MonotonicTime) {}
    func connectionChanged(_ event: ConnectionEvent, on link: Link) {}
    func roomAvailable(on link: Link) {}
    func perform(_ work: inout [Void]) { performed.signal() }
    func received(_ message: borrowing Inbound, on link: Link) {}
    func receivedMalformed(_ message: borrowing Inbound, on link: Link) {}
    func finishTurn() -> MonotonicTime? { nil }
  }

  /// Takes the outcomes of calls.
  private final class SilentHost: WorkerHost {
    let notes = Notes()

    func submit(_ input: WorkerInput) { notes.add("\(input.isLast)") }
  }
}
