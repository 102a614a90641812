import Base
import Bus
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite struct ReactorTests {
  let context: ZeroMQContext

  init() throws { context = try ZeroMQContext() }

  @Test("the host answers what arrives, on a reactor's thread")
  func echo() async throws {
    let endpoint = Mutex("")
    let reactor = try Reactor<EchoHost>.start(name: "echo", in: context) { links in
      let link = try links.bind(SocketOptions(.router), to: "tcp://127.0.0.1:*")
      try endpoint.withLock { $0 = try link.lastEndpoint() }
      return EchoHost()
    }
    try exchange(with: endpoint.withLock { $0 })
    #expect(!ReactorThread.isCurrent)
    try await reactor.stop()
  }

  private func exchange(with endpoint: String) throws {
    var dealer = try TestSocket.dealer(in: context, to: endpoint)
    for number in 0..<1000 { try dealer.send("\(number)", payload: [UInt8](repeating: 1, count: number)) }
    for number in 0..<1000 {
      let answer = try #require(try dealer.receive())
      #expect(answer.header == [UInt8]("\(number) on reactor"))
      #expect(answer.payload.count == number)
    }
  }

  @Test("a link that is never at rest delays no other one")
  func restless() async throws {
    let endpoint = Mutex("")
    let reactor = try Reactor<EchoHost>.start(name: "restless", in: context) { links in
      let quiet = try links.bind(SocketOptions(.router), to: "tcp://127.0.0.1:*")
      try endpoint.withLock { $0 = try quiet.lastEndpoint() }
      return EchoHost(restless: try links.bind(SocketOptions(.router), to: "tcp://127.0.0.1:*"))
    }
    try exchange(with: endpoint.withLock { $0 })
    try await reactor.stop()
  }

  @Test("what follows from a few long messages goes out before more are read")
  func longMessages() async throws {
    let endpoint = Mutex("")
    let received = PassHost.Received()
    let reactor = try Reactor<PassHost>.start(name: "passes", in: context) { links in
      let link = try links.bind(SocketOptions(.router), to: "tcp://127.0.0.1:*")
      try endpoint.withLock { $0 = try link.lastEndpoint() }
      return PassHost(received)
    }
    var dealer = try TestSocket.dealer(in: context, to: endpoint.withLock { $0 })
    // All wait together, because the host takes the first when the last has been sent.
    try received.sending.withLock { _ in
      for _ in 0..<40 { try dealer.send(String(repeating: "x", count: 1000)) }
      for _ in 0..<40 { try dealer.send("short") }
    }
    await received.everything.wait()
    _ = consume dealer
    try await reactor.stop()
    let passes = received.passes.withLock { $0 }
    #expect(passes.map(\.count).reduce(0, +) == 80)
    #expect(passes.allSatisfy { $0.dropLast().reduce(0, +) < Links.usualShare }, "a pass ends with its share")
    #expect(passes.contains { $0.filter { $0 < 1000 }.count > 2 }, "short messages are read together")
  }

  @Test("jobs submitted by many threads are all done, each thread's in order")
  func inbox() async throws {
    let host = CollectingHost.Results()
    let reactor = try Reactor<CollectingHost>.start(name: "collect", in: context) { _ in
      CollectingHost(host)
    }
    await withTaskGroup(of: Void.self) { group in
      for source in 0..<8 {
        group.addTask { for number in 0..<2000 { reactor.inbox.submit(.init(source: source, number: number)) } }
      }
    }
    try await reactor.stop()
    let items = host.items.withLock { $0 }
    #expect(items.count == 16_000)
    for source in 0..<8 { #expect(items.filter { $0.source == source }.map(\.number) == Array(0..<2000)) }
    #expect(!reactor.inbox.submit(.init(source: 0, number: 0)), "a stopped reactor takes nothing")
  }

  @Test("a turn starts when the host asked for it, although nothing arrives")
  func timer() async throws {
    let host = CollectingHost.Results()
    let reactor = try Reactor<CollectingHost>.start(name: "timer", in: context) { _ in
      CollectingHost(host, turns: 5, every: .milliseconds(2))
    }
    await host.lastTurn.wait()
    #expect(host.turns.load(ordering: .relaxed) >= 5)
    try await reactor.stop()
  }

  @Test("tasks run on a reactor's thread between its turns, and to their ends after it has stopped")
  func tasks() async throws {
    let host = CollectingHost.Results()
    let reactor = try Reactor<CollectingHost>.start(name: "tasks", in: context) { _ in
      CollectingHost(host)
    }
    let (steps, step) = AsyncStream.makeStream(of: Int.self)
    let task = Task(executorPreference: reactor.executor) {
      var places: [Bool] = []
      for await number in steps {
        places.append(ReactorThread.isCurrent)
        reactor.inbox.submit(.init(source: 0, number: number))
      }
      return places
    }
    // Some steps come while the reactor is at work, others when it is done with all before.
    for number in 0..<100 {
      step.yield(number)
      if number % 10 == 9 { await host.wait(for: number + 1) }
    }
    try await reactor.stop()
    step.finish()
    #expect(await task.value == [Bool](repeating: true, count: 100))
    #expect(host.items.withLock { $0.map(\.number) } == Array(0..<100))
  }

  @Test("a sleeping task wakes on a reactor's thread in time, and wakes also after the reactor has stopped")
  func sleepers() async throws {
    let reactor = try Reactor<CollectingHost>.start(name: "sleep", in: context) { _ in
      CollectingHost(CollectingHost.Results())
    }
    reactor.grow(to: 3)
    let (wakings, waking) = AsyncStream.makeStream(of: Void.self)
    let tasks = [1, 2, 3].map { number in
      Task(executorPreference: reactor.executor) {
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(10 * number))
        #expect(ReactorThread.isCurrent)
        waking.yield()
        try await Task.sleep(for: .milliseconds(300))
        return ContinuousClock.now - start >= .milliseconds(300 + 10 * number)
      }
    }
    var woken = wakings.makeAsyncIterator()
    for _ in tasks { await woken.next() }
    try await reactor.stop()
    for task in tasks { #expect(try await task.value) }
  }

  @Test("a link that waits for room lets the reactor sleep, and is notified of the room")
  func room() async throws {
    let folder = try TemporaryFolder()
    let endpoint = try PrivateDirectory.endpoint("door", in: folder.path)
    let results = CollectingHost.Results()
    let reactor = try Reactor<CollectingHost>.start(name: "room", in: context) { links in
      let link = try links.connect(SocketOptions(.dealer), to: endpoint)
      #expect(try link.send([1].span) == .wouldBlock, "nobody is there yet")
      link.awaitsRoom = true
      return CollectingHost(results)
    }
    // Attempts to connect are few; a reactor that polled would make thousands of turns.
    try await Task.sleep(for: .milliseconds(300))
    #expect(results.turns.load(ordering: .relaxed) < 100)
    let door = try TestSocket.router(in: context, on: endpoint)
    await results.room.wait()
    _ = consume door
    try await reactor.stop()
  }

  @Test("when a socket fails, the reactor's owner hears of it, and nothing more is taken")
  func failure() async throws {
    let endpoint = Mutex("")
    let failed = Signal()
    // A socket that has to answer one request before it receives the next one fails when it is read on.
    let reactor = try Reactor<CollectingHost>.start(name: "fails", in: context, failed: { _ in failed.set() }) {
      links in
      let link = try links.bind(SocketOptions(.reply), to: "tcp://127.0.0.1:*")
      try endpoint.withLock { $0 = try link.lastEndpoint() }
      return CollectingHost(CollectingHost.Results())
    }
    var dealer = try TestSocket.dealer(in: context, to: endpoint.withLock { $0 })
    try dealer.send("", payload: [1])
    await failed.wait()
    #expect(!reactor.inbox.submit(.init(source: 0, number: 0)))
    await #expect(throws: ZeroMQError.self) { try await reactor.stop() }
  }

  @Test("a reactor that cannot open its links does not start")
  func cannotStart() async throws {
    let error = #expect(throws: ZeroMQError.self) {
      try Reactor<EchoHost>.start(name: "echo", in: context) { links in
        _ = try links.bind(SocketOptions(.router), to: "tcp://192.0.2.1:1")
        return EchoHost()
      }
    }
    #expect(error?.attempt == "bind tcp://192.0.2.1:1")
  }

  @Test("stopping frees the address at once")
  func stopFrees() async throws {
    let directory = try TemporaryFolder()
    let endpoint = try PrivateDirectory.endpoint("door", in: directory.path)
    for _ in 0..<3 {
      let reactor = try Reactor<EchoHost>.start(name: "echo", in: context) { links in
        _ = try links.bind(SocketOptions(.router), to: endpoint)
        return EchoHost()
      }
      try exchange(with: endpoint)
      try await reactor.stop()
    }
  }
}

/// Sends back what it receives, and records on which thread it ran.
private final class EchoHost: ReactorHost {
  typealias Work = Never
  private let restless: Link?

  /// - Parameter restless: used in every turn, so that the reactor looks at it again in the next one.
  init(restless: Link? = nil) {
    self.restless = restless
  }

  func startTurn(at now: MonotonicTime) {}
  func connectionChanged(_ event: ConnectionEvent, on link: Link) {}
  func roomAvailable(on link: Link) {}
  func perform(_ work: inout [Never]) {}
  func receivedMalformed(_ message: borrowing Inbound, on link: Link) {}

  func finishTurn() -> MonotonicTime? {
    _ = try? restless?.send([1].span, to: RoutingID(number: 1))
    return nil
  }

  func received(_ message: borrowing Inbound, on link: Link) {
    let header = message.header + Array((ReactorThread.isCurrent ? " on reactor" : " elsewhere").utf8)
    do {
      #expect(try link.send(header.span, payload: message.payload, to: message.sender) == .sent)
    } catch {
      Issue.record(error)
    }
  }
}

/// Records the lengths of the messages that each pass brings.
private final class PassHost: ReactorHost {
  typealias Work = Never

  final class Received: Sendable {
    /// Held while messages are sent.
    let sending = Mutex(())
    let passes = Mutex<[[Int]]>([])
    let everything = Signal()
  }

  private let received: Received
  private var pass: [Int] = []
  private var count = 0

  init(_ received: Received) { self.received = received }

  func startTurn(at now: MonotonicTime) { pass = [] }
  func connectionChanged(_ event: ConnectionEvent, on link: Link) {}
  func roomAvailable(on link: Link) {}
  func perform(_ work: inout [Never]) {}
  func receivedMalformed(_ message: borrowing Inbound, on link: Link) {}

  func received(_ message: borrowing Inbound, on link: Link) {
    received.sending.withLock { _ in }
    count += 1
    pass.append(message.header.count)
  }

  func finishTurn() -> MonotonicTime? {
    if !pass.isEmpty { received.passes.withLock { $0.append(pass) } }
    if count == 80 { received.everything.set() }
    return nil
  }
}

/// Records what it receives and how many turns it had.
private final class CollectingHost: ReactorHost {
  struct Work: Sendable {
    let source: Int
    let number: Int
  }

  final class Results: Sendable {
    let items = Mutex<[Work]>([])
    private let counts = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let turns = Atomic(0)
    let lastTurn = Signal()
    let room = Signal()

    func add(_ work: [Work]) {
      counts.continuation.yield(
        items.withLock { items in
          items += work
          return items.count
        })
    }

    /// Waits until there are so many items.
    func wait(for count: Int) async {
      for await present in counts.stream where present >= count { return }
    }
  }

  private let results: Results
  private let turns: Int
  private let interval: Duration
  private var now = MonotonicTime(nanoseconds: 0)

  init(_ results: Results, turns: Int = 0, every interval: Duration = .zero) {
    self.results = results
    self.turns = turns
    self.interval = interval
  }

  func startTurn(at now: MonotonicTime) { self.now = now }
  func connectionChanged(_ event: ConnectionEvent, on link: Link) {}
  func roomAvailable(on link: Link) {
    link.awaitsRoom = false
    results.room.set()
  }
  func received(_ message: borrowing Inbound, on link: Link) {}
  func receivedMalformed(_ message: borrowing Inbound, on link: Link) {}

  func perform(_ work: inout [Work]) {
    #expect(ReactorThread.isCurrent)
    results.add(work)
  }

  func finishTurn() -> MonotonicTime? {
    let count = results.turns.add(1, ordering: .relaxed).newValue
    guard count < turns else {
      results.lastTurn.set()
      return nil
    }
    return now + interval
  }
}
