import Bus
import RPC
import Testing

@Suite struct SendQueueTests {
  @Test("a machine is notified once of all messages that come together, and again of later ones")
  func announcing() {
    let queue = SendQueue()
    #expect(queue.add([1]) == .addedFirst)
    #expect(queue.add([2, 3]) == .added)
    #expect(queue.take().pieces == [[0, 0, 0, 1, 1, 0, 0, 0, 2, 2, 3]])
    #expect(queue.add([]) == .addedFirst)
    #expect(queue.take().pieces == [[0, 0, 0, 0]])
    #expect(queue.take().pieces == [])
  }

  @Test("a writer that is too fast waits until something is sent, also with empty messages", arguments: [0, 1000])
  func bounded(size: Int) async {
    let queue = SendQueue()
    let message = [UInt8](repeating: 7, count: size)
    var count = 0
    while queue.add(message) != .full { count += 1 }
    #expect(count == (2 * BusLimits.chunk + size + 3) / (size + 4))
    let run = queue.take()
    #expect(run.byteCount == count * (size + 4))
    #expect(run.largestMessage == size)
    #expect(queue.add(message) == .full)
    queue.giveBack(run.byteCount)
    await queue.wait()
    #expect(queue.add(message) == .addedFirst)
  }

  @Test("a writer that waits continues when the call has ended, and learns that it has")
  func closing() async {
    let queue = SendQueue()
    while queue.add([UInt8](repeating: 7, count: 10_000)) != .full {}
    async let waiting: Void = queue.wait()
    queue.close()
    await waiting
    #expect(queue.add([1]) == .closed)
  }

  @Test("what several tasks send arrives whole, each task's messages in their order")
  func manyWriters() async throws {
    let queue = SendQueue()
    let received = try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<2000 {
            let message = [UInt8(writer), UInt8(number >> 8), UInt8(number & 0xFF)]
            while queue.add(message) == .full { await queue.wait() }
          }
        }
      }
      var sender = StreamSender()
      var receiver = StreamReceiver()
      var allowance = WindowAllowance()
      var received: [[UInt8]] = []
      while received.count < 8000 {
        let run = queue.take()
        sender.append(run)
        while let chunk = sender.nextChunk() {
          try receiver.take(offset: chunk.offset, bytes: chunk.bytes) { received.append(Array($0)) }
          receiver.consume(ReadCount(bytes: chunk.bytes.count))
          if let window = receiver.nextWindow(growingBy: &allowance) { sender.extend(window: window) }
        }
        queue.giveBack(run.byteCount)
        await Task.yield()
      }
      return received
    }
    for writer in 0..<4 {
      let numbers = received.filter { $0[0] == writer }.map { Int($0[1]) << 8 | Int($0[2]) }
      #expect(numbers == Array(0..<2000))
    }
  }

  @Test("a run has pieces of whole messages that fit into a chunk, and a larger message alone")
  func pieces() {
    var run = MessageRun()
    for size in [30_000, 30_000, 30_000, 70_000, 10, 65_532, 0] { run.append([UInt8](repeating: 1, count: size)) }
    #expect(run.pieces.map(\.count) == [60_008, 30_004, 70_004, 14, 65_536, 4])
    #expect(run.byteCount == 225_570)
    #expect(run.largestMessage == 70_000)
  }
}
