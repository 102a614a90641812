import Bus
import RPC
import Testing

@Suite struct StreamFlowTests {
  private static func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }
  /// A message that takes 1024 bytes of a stream.
  private static let kilobyte = MessageRun(message(1020))

  @Test("messages arrive as they were sent, however they are cut into chunks", arguments: [1, 3, 7, 1000, 65_536])
  func anyCuts(size: Int) throws {
    var sender = StreamSender()
    let messages = [[], Self.message(1), Self.message(900), Self.message(30_000), [], Self.message(5)]
    for message in messages { sender.append(MessageRun(message)) }
    var bytes: [UInt8] = []
    while let chunk = sender.nextChunk() {
      #expect(chunk.offset == UInt64(bytes.count))
      bytes += chunk.bytes
    }
    var receiver = StreamReceiver()
    var received: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let cut = Array(bytes[start..<min(start + size, bytes.count)])
      try receiver.take(offset: UInt64(start), bytes: cut) { received.append(Array($0)) }
    }
    #expect(received == messages)
    #expect(!receiver.isInsideMessage)
  }

  @Test("a sender stops at its window, and continues when it moves; a late WINDOW changes nothing")
  func window() {
    var sender = StreamSender()
    sender.append(MessageRun(Self.message(150_000)))
    var sent = 0
    while let chunk = sender.nextChunk() {
      #expect(chunk.bytes.count <= BusLimits.chunk)
      sent += chunk.bytes.count
    }
    #expect(sent == 65_536)
    sender.extend(window: 100_000)
    sender.extend(window: 70_000)
    while let chunk = sender.nextChunk() { sent += chunk.bytes.count }
    #expect(sent == 100_000)
    #expect(sender.backlog == 50_004)
  }

  @Test("a receiver moves the window when half of it was read, and not for every message")
  func windowMoves() throws {
    var allowance = WindowAllowance()
    var receiver = StreamReceiver()
    var sender = StreamSender()
    var windows: [UInt64] = []
    for _ in 0..<10 {
      sender.append(MessageRun(Self.message(10_000)))
      while let chunk = sender.nextChunk() {
        try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { _ in }
      }
      receiver.consume(messageOf: 10_000)
      if let window = receiver.nextWindow(growingBy: &allowance) {
        windows.append(window)
        sender.extend(window: window)
      }
    }
    #expect(windows == [40_016 + 65_536, 80_032 + 65_536])
  }

  /// Lets a sender send as much as it may, and a reader read some of it, for `rounds` rounds.
  private static func exchange(
    _ rounds: Int, _ receiver: inout StreamReceiver, _ sender: inout StreamSender, _ allowance: inout WindowAllowance
  ) throws {
    for _ in 0..<rounds {
      while sender.backlog < 600_000 { sender.append(Self.kilobyte) }
      var waiting: [Int] = []
      while let chunk = sender.nextChunk() {
        try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { waiting.append($0.count) }
      }
      for count in waiting { receiver.consume(messageOf: count) }
      if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
    }
  }

  @Test("the window of a reader that keeps up with a fast sender grows to its bound")
  func windowGrows() throws {
    var allowance = WindowAllowance()
    var receiver = StreamReceiver()
    var sender = StreamSender()
    try Self.exchange(1, &receiver, &sender, &allowance)
    #expect(receiver.granted == 65_536 + 2 * 65_536)
    try Self.exchange(10, &receiver, &sender, &allowance)
    #expect(receiver.granted - receiver.consumed == BusLimits.largestWindow)
    #expect(allowance.left == BusLimits.windowAllowance - receiver.growth)
  }

  @Test("a window stays as it is for a reader that is behind, and for a sender that never fills it")
  func windowStays() throws {
    var allowance = WindowAllowance()
    var receiver = StreamReceiver()
    var sender = StreamSender()
    for _ in 0..<1000 {
      while sender.backlog < 600_000 { sender.append(Self.kilobyte) }
      while let chunk = sender.nextChunk() { try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { _ in } }
      receiver.consume(messageOf: 1020)
      if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
    }
    #expect(receiver.consumed == 1_024_000)
    #expect(receiver.granted <= 1_024_000 + 65_536)
    sender = StreamSender()
    receiver = StreamReceiver()
    for _ in 0..<1000 {
      sender.append(Self.kilobyte)
      while let chunk = sender.nextChunk() { try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { _ in } }
      receiver.consume(messageOf: 1020)
      if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
    }
    #expect(receiver.granted <= 1_024_000 + 65_536)
    #expect(allowance.left == BusLimits.windowAllowance)
  }

  @Test("all windows of a process together grow no further than its allowance")
  func windowsShareAnAllowance() throws {
    var allowance = WindowAllowance()
    var growth: UInt64 = 0
    for _ in 0..<12 {
      var receiver = StreamReceiver()
      var sender = StreamSender()
      try Self.exchange(8, &receiver, &sender, &allowance)
      growth += receiver.growth
    }
    #expect(allowance.left == BusLimits.windowAllowance - growth)
    #expect(allowance.left < 65_536)
  }

  @Test("a stream that nobody reads stops its sender for good")
  func slowReader() throws {
    var allowance = WindowAllowance()
    var receiver = StreamReceiver()
    var sender = StreamSender()
    for _ in 0..<100 { sender.append(MessageRun(Self.message(10_000))) }
    for _ in 0..<3 {
      while let chunk = sender.nextChunk() { try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { _ in } }
      if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
    }
    #expect(sender.offset <= 65_536 + 10_004)
    #expect(receiver.consumed == 0)
  }

  @Test(
    "a message larger than the window arrives whole although a part of it cannot be read",
    arguments: [65_532, 65_533, 70_000, 1_000_000])
  func largeMessage(size: Int) throws {
    var allowance = WindowAllowance()
    var receiver = StreamReceiver()
    var sender = StreamSender()
    let messages = [Self.message(100), Self.message(size), Self.message(100)]
    for message in messages { sender.append(MessageRun(message)) }
    var received: [[UInt8]] = []
    var read = 0
    for _ in 0..<100 where received.count < 3 {
      while let chunk = sender.nextChunk() {
        try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { received.append(Array($0)) }
      }
      for message in received[read...] { receiver.consume(messageOf: message.count) }
      read = received.count
      if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
    }
    #expect(received == messages)
  }

  @Test("a gap, a message beyond the window and one beyond the bound are different errors")
  func violations() throws {
    var receiver = StreamReceiver(largestMessage: 1000)
    try receiver.take(offset: 0, bytes: [0, 0]) { _ in }
    #expect(throws: StreamReceiver.Violation.gap(expected: 2, found: 3)) {
      try receiver.take(offset: 3, bytes: [0]) { _ in }
    }
    #expect(throws: StreamReceiver.Violation.windowExceeded(granted: 65_536, sent: 70_002)) {
      try receiver.take(offset: 2, bytes: [UInt8](repeating: 0, count: 70_000)) { _ in }
    }
    #expect(throws: StreamReceiver.Violation.messageTooLarge(length: 1001, limit: 1000)) {
      try receiver.take(offset: 2, bytes: [3, 233]) { _ in }
    }
    #expect(receiver.isInsideMessage)
  }

  @Test("a reader's machine is notified of many small messages at once, and of all before the reader waits")
  func tally() {
    var tally = ReadTally()
    var reported = ReadCount()
    for number in 1...1000 {
      if let reading = tally.take(messageOf: 100) {
        #expect(reading.bytes >= 32_768)
        reported.bytes += reading.bytes
        reported.messages += reading.messages
      }
      #expect(number - reported.messages < 328)
    }
    if let rest = tally.rest() {
      reported = ReadCount(bytes: reported.bytes + rest.bytes, messages: reported.messages + rest.messages)
    }
    #expect(reported == ReadCount(bytes: 100_000, messages: 1000))
    #expect(tally.rest() == nil)
  }
}
