import Bus
import RPC
import Testing
import Wire

@Suite struct OutgoingMessagesTests {
  private struct Message {
    let destination: Int
    let envelopes: [Envelope]
  }

  private func numbered(_ call: UInt64, payload: Int = 0) -> Envelope {
    var envelope = Envelope(.data, call: call)
    envelope.payload = [UInt8](repeating: 7, count: payload)
    return envelope
  }

  /// The messages for envelopes that one turn has for several destinations.
  private func messages(_ outgoing: [(destination: Int, envelope: Envelope)]) throws -> [Message] {
    var messages = OutgoingMessages<Int>()
    var sent: [(EnvelopeFrames, Int)] = []
    for (destination, envelope) in outgoing {
      try messages.add(envelope, for: destination) { sent.append(($0, $1)) }
    }
    messages.flush { sent.append(($0, $1)) }
    messages.flush { _, _ in Issue.record("sent twice") }
    return try sent.map { frames, destination in
      #expect(frames.head.count <= BusLimits.largestFrame)
      return Message(
        destination: destination,
        envelopes: try EnvelopeFrames.envelopes(head: frames.head.span, payload: frames.payload))
    }
  }

  @Test("the envelopes of one turn for one destination are one message, in order")
  func together() throws {
    let sent = try messages((0..<30).map { (Int($0 % 3), numbered($0)) })
    #expect(sent.map(\.destination) == [0, 1, 2])
    for message in sent {
      #expect(message.envelopes.map(\.call) == (0..<10).map { UInt64($0 * 3 + message.destination) })
    }
  }

  @Test("a large payload ends its message")
  func large() throws {
    let sent = try messages([(0, numbered(1)), (0, numbered(2, payload: 2000)), (0, numbered(3))])
    #expect(sent.map { $0.envelopes.map(\.call) } == [[1, 2], [3]])
    #expect(sent[0].envelopes[1].payload.count == 2000)
  }

  @Test("a full message goes out, and the next begins")
  func full() throws {
    let byBytes = try messages((0..<40).map { (0, numbered($0, payload: 1000)) })
    #expect(byBytes.count == 5)
    let byCount = try messages((0..<600).map { (0, numbered($0)) })
    #expect(byCount.map(\.envelopes.count) == [256, 256, 88])
    #expect(byCount.flatMap(\.envelopes).map(\.call) == Array(0..<600))
  }

  @Test("many destinations each get theirs, in order")
  func many() throws {
    let sent = try messages((0..<500).map { (Int($0 % 100), numbered($0)) })
    for destination in 0..<100 {
      let calls = sent.filter { $0.destination == destination }.flatMap(\.envelopes).map(\.call)
      #expect(calls == (0..<5).map { UInt64($0 * 100 + destination) })
    }
  }

  @Test("an envelope that cannot be written does not affect the others")
  func unwritable() throws {
    var messages = OutgoingMessages<Int>()
    var sent: [EnvelopeFrames] = []
    var broken = numbered(2)
    broken.method = "/a\0b"
    try messages.add(numbered(1), for: 0) { _, _ in }
    #expect(throws: CodecError.self) { try messages.add(broken, for: 0) { _, _ in } }
    try messages.add(numbered(3), for: 0) { _, _ in }
    messages.flush { frames, _ in sent.append(frames) }
    let calls = try sent.flatMap { try EnvelopeFrames.envelopes(head: $0.head.span, payload: nil) }.map(\.call)
    #expect(calls == [1, 3])
  }

  @Test("an envelope that its receiver would drop is refused, and the largest one goes out")
  func tooLarge() throws {
    var envelope = Envelope(.open, call: 1)
    envelope.method = String(repeating: "m", count: BusLimits.largestEnvelope - 15)
    let largest = try EnvelopeFrames(envelope)
    #expect(try EnvelopeFrames.envelopes(head: largest.head.span, payload: nil) == [envelope])
    envelope.method += "m"
    #expect(throws: CodecError.self) { try EnvelopeFrames(envelope) }
    // The same of one that only protobuf-c writes.
    envelope.extra = Envelope.Extra(metadata: ["k": "v"])
    let error = #expect(throws: CodecError.self) { try EnvelopeFrames(envelope) }
    #expect(error?.code == .tooLarge)
  }

  @Test("a call whose STATUS cannot be written has an outcome all the same")
  func unwritableStatus() throws {
    var status = Envelope(.status, call: 7)
    status.session = 3
    status.credit = 5
    status.statusCode = .notFound
    for message in ["a\0b", String(repeating: "m", count: 100_000)] {
      status.extra = Envelope.Extra(statusMessage: message)
      var messages = OutgoingMessages<Int>()
      var sent: [EnvelopeFrames] = []
      #expect(throws: CodecError.self) { try messages.add(status, for: 0) { _, _ in } }
      messages.flush { frames, _ in sent.append(frames) }
      let envelopes = try sent.flatMap { try EnvelopeFrames.envelopes(head: $0.head.span, payload: nil) }
      let bare = try #require(envelopes.first)
      #expect(envelopes.count == 1 && bare.kind == .status && bare.statusCode == .internal)
      #expect(bare.call == 7 && bare.session == 3 && bare.credit == 5)
    }
  }

  @Test("of a faulty message, the envelopes before the fault are read")
  func faulty() throws {
    let good = try EnvelopeFrames(numbered(1)).head
    let faults: [(String, [UInt8])] = [
      ("no tag", [0x12, 0]), ("no length", [0x0A]), ("endless length", [0x0A, 0x80, 0x80, 0x80, 0x01]),
      ("length beyond the end", [0x0A, 9, 0]), ("no envelope", [0x0A, 1, 0xFF]),
      ("payload that is not there", [0x0A, 2, 0x50, 1]),
    ]
    for (what, fault) in faults {
      let bytes = good + fault
      var heard: [UInt64] = []
      var memory = EnvelopeMemory()
      #expect(throws: CodecError.self, "\(what)") {
        try EnvelopeFrames.read(head: bytes.span, payload: nil, memory: &memory) { heard.append($0.call) }
      }
      #expect(heard == [1], "\(what)")
    }
    #expect(throws: CodecError.self) { try EnvelopeFrames.envelopes(head: [UInt8]().span, payload: nil) }
    let many = (0..<300).flatMap { _ in good }
    #expect(throws: CodecError.self) { try EnvelopeFrames.envelopes(head: many.span, payload: nil) }
  }
}
