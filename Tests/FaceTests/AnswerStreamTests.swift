import Base
import Bus
import Face
import TestSupport
import Testing

@testable import HTTPFace

@Suite struct AnswerStreamTests {
  @Test("what is taken from a long message costs no moving of its rest")
  func longMessage() {
    let count = 64 << 20
    var answer = AnswerStream()
    answer.append(PrefixedFrame(payload: [UInt8](repeating: 7, count: count)), messageOf: count)
    let start = processorTime
    var taken = 0
    var messages = 0
    while answer.waiting > 0 {
      let part = answer.take(16 << 10)
      taken += part.bytes.count
      messages += part.consumed.messages
    }
    #expect(taken == count + PrefixedFrame.prefix && messages == 1)
    // Moving the rest at every 64 KiB would be 32 GiB.
    let passed = processorTime - start
    #expect(passed < .seconds(2), "\(passed)")
  }

  @Test("a long message whose end its caller leaves unread is not kept whole", arguments: [false, true])
  func kept(isText: Bool) {
    let count = 1 << 20
    var answer = AnswerStream()
    answer.isText = isText
    let frame = PrefixedFrame(payload: [UInt8](repeating: 7, count: count))
    answer.append(frame, messageOf: count)
    let size = answer.size(of: frame)
    #expect(answer.waiting == size && answer.kept == size)
    _ = answer.take(size - 100)
    #expect(answer.waiting == 100)
    #expect(answer.kept < 100 + ByteQueue.piece)
  }
}
