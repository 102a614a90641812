import Base
import Bus
import RPC
import TestSupport
import Testing
import Wire

@Suite struct SocketTests {
  let context: ZeroMQContext

  init() throws { context = try ZeroMQContext() }

  @Test("header and payload arrive as they were sent, both ways")
  func roundTrip() throws {
    var router = try TestSocket.router(in: context)
    var dealer = try TestSocket.dealer(in: context, to: router.endpoint())
    let payload = [UInt8](repeating: 7, count: 70_000)
    try dealer.send("question", payload: payload)
    let question = try #require(try router.receive())
    #expect(question.header == [UInt8]("question"))
    #expect(question.payload == payload)
    #expect(question.keyNumber == nil)
    #expect(try router.trySending("answer", to: question.sender) == .sent)
    let answer = try #require(try dealer.receive())
    #expect(answer.header == [UInt8]("answer"))
    #expect(answer.payload == [])
  }

  @Test("a router reports that a peer has gone instead of dropping its messages")
  func unreachable() throws {
    let router = try TestSocket.router(in: context)
    #expect(try router.trySending("lost", to: RoutingID(number: 12345)) == .unreachable)
  }

  @Test("a router reports that a peer accepts nothing more, and continues when it does")
  func full() throws {
    var router = try TestSocket.router(in: context) { $0.sendHighWater = 4 }
    var dealer = try TestSocket.dealer(in: context, to: router.endpoint()) { $0.receiveHighWater = 4 }
    try dealer.send("here")
    let peer = try #require(try router.receive()).sender
    let header = "chunk"
    let payload = [UInt8](repeating: 1, count: 256 * 1024)
    var sent = 0
    while try router.trySending(header, payload: payload, to: peer) == .sent {
      sent += 1
      try #require(sent < 10_000, "the peer reads nothing, so the connection must fill up")
    }
    #expect(try router.trySending(header, payload: payload, to: peer) == .wouldBlock)
    for _ in 0..<sent { #expect(try dealer.receive()?.payload.count == payload.count) }
    let deadline = Clock.system.monotonic + .seconds(20)
    while try router.trySending(header, to: peer) != .sent {
      try #require(Clock.system.monotonic < deadline, "the peer has read everything")
      _ = try router.receive(within: .milliseconds(1))
    }
  }

  @Test("a dealer without a connection stores nothing for later")
  func noConnection() throws {
    let dealer = try TestSocket.dealer(in: context, to: "tcp://127.0.0.1:1")
    #expect(try dealer.trySending("too early") == .wouldBlock)
  }

  @Test("a restarted router gets nothing that was sent to its predecessor")
  func noStaleMessages() throws {
    var router = try TestSocket.router(in: context)
    let endpoint = try router.endpoint()
    var dealer = try TestSocket.dealer(in: context, to: endpoint)
    try dealer.awaitEvent(.established)
    try dealer.send("first")
    #expect(try router.receive()?.header == [UInt8]("first"))
    router = try TestSocket.router(in: context)
    try dealer.awaitEvent(.lost)
    // Whether they are refused or lost depends on how soon the socket has noticed.
    for number in 0..<10 { _ = try dealer.trySending("stale \(number)") }
    router = try TestSocket.router(in: context, on: endpoint)
    try dealer.awaitEvent(.established)
    try dealer.send("fresh")
    #expect(try router.receive()?.header == [UInt8]("fresh"))
  }

  @Test("a port in use is named in the error")
  func portInUse() throws {
    let router = try TestSocket.router(in: context)
    let endpoint = try router.endpoint()
    let error = #expect(throws: ZeroMQError.self) { _ = try TestSocket.router(in: context, on: endpoint) }
    #expect(error?.code.description == "EADDRINUSE")
    #expect(error?.description == "cannot bind \(endpoint): Address already in use (EADDRINUSE)")
  }

  @Test("a frame above the limit ends its sender's connection, and nobody else's")
  func oversized() throws {
    var router = try TestSocket.router(in: context) { $0.maxFrameBytes = 1000 }
    let endpoint = try router.endpoint()
    var honest = try TestSocket.dealer(in: context, to: endpoint)
    var hostile = try TestSocket.dealer(in: context, to: endpoint)
    try hostile.awaitEvent(.established)
    try hostile.send("big", payload: [UInt8](repeating: 0, count: 1001))
    try hostile.awaitEvent(.lost)
    try honest.send("small")
    #expect(try router.receive()?.header == [UInt8]("small"))
  }

  @Test("a message of too many parts is dropped whole, and the next one is read")
  func tooManyParts() throws {
    var router = try TestSocket.router(in: context)
    var dealer = try TestSocket.dealer(in: context, to: router.endpoint())
    try dealer.awaitEvent(.established)
    try dealer.send(parts: [[1], [2], [3], [4]])
    try dealer.send("proper")
    #expect(try router.receive()?.header == [UInt8]("proper"))
  }

  @Test("only routing ids that a router generates are accepted, not a peer's own choice")
  func routingIDs() {
    #expect(RoutingID(bytes: [0, 1, 2, 3, 4].span) == RoutingID(number: 0x0102_0304))
    #expect(RoutingID(bytes: [1, 1, 2, 3, 4].span) == nil)
    #expect(RoutingID(bytes: [UInt8]("alice").span) == nil)
    #expect(RoutingID(bytes: [0, 1, 2, 3].span) == nil)
  }

  @Test("numbers of connections begin at random, so that nobody can foresee and take one")
  func firstNumbers() throws {
    let unseeded = Self.unseededNumbers(20_000)
    // As two sockets of a process were seen to begin that draws nothing at random.
    #expect(unseeded.contains(0xE43C_9869) && unseeded.contains(0xF4B0_DC51))
    for _ in 0..<4 {
      var router = try TestSocket.router(in: context)
      var dealer = try TestSocket.dealer(in: context, to: router.endpoint())
      try dealer.send("x")
      let number = try #require(try router.receive()).sender.number
      #expect(!unseeded.contains(number))
    }
  }

  /// The numbers that libzmq would draw first from the generator of glibc as it is without a seed: each from two words.
  private static func unseededNumbers(_ count: Int) -> Set<UInt32> {
    var states: [UInt32] = [1]
    for _ in 1..<31 { states.append(UInt32(UInt64(states.last ?? 0) * 16_807 % 2_147_483_647)) }
    for index in 31..<34 { states.append(states[index - 31]) }
    for index in 34..<(344 + count + 1) { states.append(states[index - 31] &+ states[index - 3]) }
    let words = states.dropFirst(344).map { $0 >> 1 }
    return Set(zip(words, words.dropFirst()).map { low, high in low | high << 31 })
  }

  @Test("a stored message takes the memory of its own size, not of the buffer it came in")
  func memoryOfHeldMessages() throws {
    var router = try TestSocket.router(in: context) { $0.receiveHighWater = 0 }
    var dealer = try TestSocket.dealer(in: context, to: router.endpoint()) { $0.sendHighWater = 0 }
    let body = String(repeating: "x", count: 128)
    let count = 20_000
    // The first ones allocate what stays allocated anyway.
    for _ in 0..<count { try dealer.send(body) }
    for _ in 0..<count { #expect(try router.receive() != nil) }
    let before = try residentBytes()
    var held: [[UInt8]] = []
    for _ in 0..<count { try dealer.send(body) }
    for _ in 0..<count { held.append(try #require(try router.receive()).header) }
    let perMessage = (try residentBytes() - before) / count
    #expect(perMessage < 2048, "\(perMessage) bytes for each of \(held.count) held messages")
  }
}
