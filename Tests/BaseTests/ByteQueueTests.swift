import Base
import Testing

@Suite struct ByteQueueTests {
  @Test("bytes come out as they went in, whatever the sizes of what is appended and taken")
  func order() {
    var queue = ByteQueue()
    var expected: [UInt8] = []
    for (number, count) in [1, 5, 4000, 4096, 4097, 16_384, 16_385, 50_000, 3].enumerated() {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + number) }
      queue.append(bytes)
      expected += bytes
    }
    queue.append([])
    #expect(queue.count == expected.count)
    var found: [UInt8] = []
    for limit in [1, 4, 4096, 10_000, 1, 16_384] { found += queue.take(limit) }
    let passedOn = queue.take(20_000) { bytes in
      for place in bytes.indices { found.append(bytes[place]) }
    }
    #expect(passedOn == 20_000)
    found += queue.take(1_000_000)
    #expect(found == expected)
    #expect(queue.count == 0 && queue.kept == 0 && queue.take(1) == [])
  }

  @Test("of long bytes that are taken slowly, less than a piece is kept beside those that wait")
  func kept() {
    var queue = ByteQueue()
    queue.append([UInt8](repeating: 7, count: 1_000_000))
    #expect(queue.kept == 1_000_000)
    while queue.count > 0 {
      _ = queue.take(999)
      #expect(queue.kept - queue.count < ByteQueue.piece)
    }
    #expect(queue.kept == 0)
  }
}
