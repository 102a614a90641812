import Bus
import RPC
import TestSupport
import Testing
import Wire

/// `clients/vectors/messages.json`: ZeroMQ messages and the envelopes in them.
@Suite struct MessageVectorTests {
  static let vectors = VectorFile.entries("messages", "messages")

  private func envelopes(_ vector: Vector) -> [Envelope] {
    let entries = vector["envelopes"]
    let count = entries["times"].number
    let listed = count.map { Array(repeating: entries["envelope"], count: $0) } ?? entries.list
    return listed.map { Envelope(vector: $0) }
  }

  @Test("a message is read as far as it is well-formed", arguments: vectors)
  func reading(vector: Vector) {
    let frames = vector["frames"].list.map(\.bytes)
    guard frames.count <= 2 else {
      // Hosts do not read such a message at all.
      #expect(vector["envelopes"].list.isEmpty && !vector["whole"].flag)
      return
    }
    let head = frames[0]
    let payload = frames.count > 1 ? frames[1] : nil
    let (read, fault) = EnvelopeFrames.wellFormed(head: head.span, payload: payload)
    #expect(read == envelopes(vector))
    #expect((fault == nil) == vector["whole"].flag)
  }

  @Test("envelopes are written as the vectors have them", arguments: vectors.filter { $0["canonical"].flag })
  func writing(vector: Vector) throws {
    var writer = MessageWriter()
    for envelope in envelopes(vector) { try writer.add(envelope) }
    let frames = writer.frames
    #expect([frames.head] + (frames.payload.map { [$0] } ?? []) == vector["frames"].list.map(\.bytes))
  }
}
