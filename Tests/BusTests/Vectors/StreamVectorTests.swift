import Bus
import RPC
import TestSupport
import Testing

/// `clients/vectors/streams.json`: one direction of a call, at its sender and at its receiver.
@Suite struct StreamVectorTests {
  @Test("a sender cuts messages into chunks within its window", arguments: VectorFile.entries("streams", "senders"))
  func sender(vector: Vector) {
    var sender = StreamSender()
    for step in vector["steps"].list {
      if step["puts"] != .null {
        sender.append(MessageRun(step["puts"].bytes))
      } else if let offset = step["window"].number {
        sender.extend(window: UInt64(offset))
      } else {
        var sent: [UInt8] = []
        var start: UInt64?
        while let chunk = sender.nextChunk() {
          #expect(chunk.bytes.count <= BusLimits.chunk)
          start = start ?? chunk.offset
          sent += chunk.bytes
        }
        #expect(start == step["sends"]["offset"].number.map { UInt64($0) })
        #expect(sent == step["sends"]["bytes"].bytes)
      }
    }
  }

  @Test("a receiver puts messages together and moves its window", arguments: VectorFile.entries("streams", "receivers"))
  func receiver(vector: Vector) {
    var receiver = StreamReceiver()
    var allowance = WindowAllowance()
    var messages: [[UInt8]] = []
    for step in vector["steps"].list {
      if step["gets"] != .null {
        let fault = take(step["gets"], &receiver, &messages)
        #expect(fault == step["fault"].text)
      } else if let bounds = step["window"].list.first?.number, let limit = step["window"].list.last?.number {
        #expect((bounds...limit).contains(Int(receiver.granted)))
      } else if step["reads"] == .null {
        #expect(messages.isEmpty)
      } else {
        #expect(messages.first == step["reads"].bytes)
        receiver.consume(messageOf: messages.removeFirst().count)
      }
      _ = receiver.nextWindow(growingBy: &allowance)
    }
  }

  /// Gives the receiver a chunk; returns the name of the code with which that ends the call, if it does.
  private func take(_ chunk: JSONValue, _ receiver: inout StreamReceiver, _ messages: inout [[UInt8]]) -> String? {
    do throws(StreamReceiver.Violation) {
      try receiver.take(offset: UInt64(chunk["offset"].number ?? 0), bytes: chunk["bytes"].bytes) {
        messages.append(Array($0))
      }
      return nil
    } catch {
      return error.status.code.name
    }
  }
}
