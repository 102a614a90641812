import Base
import Bus
import RPC
import Testing
import Wire

/// The direct way to read and write everyday envelopes, compared with protobuf-c.
@Suite struct PlainEnvelopeTests {
  private let limits = DecodingLimits(size: 1 << 20, expandedSize: 1 << 24, depth: 8)

  @Test("an envelope's bytes are the same written directly and by protobuf-c, and both read them alike")
  func agreement() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let envelope = randomEnvelope(&generator)
      let bytes = try envelope.encoded()
      #expect(try bytes == envelope.encodedFully())
      let read = try Envelope(decoding: bytes.span, limits: limits)
      #expect(try read == Envelope(decodingFully: bytes.span, limits: limits))
    }
  }

  @Test("altered bytes are read, or refused, alike")
  func tampered() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<4000 {
      var bytes = try randomEnvelope(&generator).encoded()
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      try expectAgreement(on: bytes)
    }
  }

  @Test("repeated and unknown fields and padded numbers are read, or refused, alike")
  func unusual() throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<4000 {
      var bytes = try randomEnvelope(&generator).encoded()
      for _ in 0..<Int.random(in: 1...3, using: &generator) { bytes += randomField(&generator) }
      try expectAgreement(on: bytes)
    }
  }

  /// The only envelope in the first frame of a message.
  private func inMessage(_ envelope: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = envelope.count
    while rest >= 0x80 {
      length.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return [0x0A] + length + [UInt8(rest)] + envelope
  }

  @Test("earlier envelopes change nothing in what is read, whether they were the same, similar or damaged")
  func remembered() throws {
    var generator = SeededGenerator(seed: 17)
    var memory = EnvelopeMemory()
    let known = try (0..<40).map { _ in try randomEnvelope(&generator).encoded() }
    for _ in 0..<8000 {
      var bytes = known.randomElement(using: &generator) ?? []
      if Bool.random(using: &generator), !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
      let framed = inMessage(bytes)
      let short = Result { () throws(CodecError) in
        var envelope = Envelope(.unspecified)
        try EnvelopeFrames.read(head: framed.span, payload: nil, memory: &memory) { envelope = $0 }
        return envelope
      }
      let full = Result { () throws(CodecError) in try Envelope(decodingFully: bytes.span, limits: limits) }
      // Frames that announce a second one are refused.
      guard (try? full.get().payloadFollows) != true else { continue }
      try expectAgreement(short, full, on: bytes)
    }
  }

  @Test(
    "texts and callers of any length are written and read alike",
    arguments: [0, 1, 7, 8, 15, 16, 127, 128, 600, 20_000])
  func lengths(count: Int) throws {
    for letter in ["a", "é"] {
      let text = String(repeating: letter, count: count)
      var envelope = Envelope(.open, call: 3)
      envelope.method = text
      envelope.idempotencyKey = text
      envelope.payload = Array(text.utf8)
      let caller = CallerIdentity(kind: .operator, tenant: text, subject: text, device: text, grants: ["", text])
      envelope.extra = Envelope.Extra(caller: caller, statusMessage: text)
      let bytes = try envelope.encoded()
      #expect(try bytes == envelope.encodedFully())
      #expect(try Envelope(decoding: bytes.span, limits: limits) == envelope)
    }
  }

  @Test("a zero byte in any text is refused, and named")
  func zeroBytes() throws {
    let text = "zero\0byte"
    var inMethod = Envelope(.open)
    inMethod.method = text
    var inKey = Envelope(.open)
    inKey.idempotencyKey = text
    var inMessage = Envelope(.status)
    inMessage.extra = Envelope.Extra(statusMessage: text)
    var inGrant = Envelope(.open)
    inGrant.extra = Envelope.Extra(caller: CallerIdentity(kind: .person, grants: ["a", text]))
    for (envelope, path) in [
      (inMethod, "method"), (inKey, "idempotency_key"), (inMessage, "status_message"), (inGrant, "caller.grants[1]"),
    ] {
      let error = #expect(throws: CodecError.self) { try EnvelopeFrames(envelope) }
      #expect(error?.path == path)
    }
  }

  @Test("an envelope cut off at any byte is read, or refused, alike")
  func truncated() throws {
    var generator = SeededGenerator(seed: 19)
    for _ in 0..<20 {
      let bytes = try randomEnvelope(&generator).encoded()
      for count in 0..<bytes.count { try expectAgreement(on: Array(bytes.prefix(count))) }
    }
  }

  /// A random field of any number and type, also an invalid one, whose tag, length or value may be padded.
  private func randomField(_ generator: inout SeededGenerator) -> [UInt8] {
    func varint(_ value: UInt64, _ generator: inout SeededGenerator) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = value
      repeat {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      } while rest > 0
      if Int.random(in: 0..<4, using: &generator) == 0 {
        bytes += [UInt8](repeating: 0x80, count: Int.random(in: 1...8, using: &generator))
      }
      bytes[bytes.count - 1] &= 0x7F
      return bytes
    }
    let type = UInt64.random(in: 0...5, using: &generator)
    let tag = varint(UInt64.random(in: 0...26, using: &generator) << 3 | type, &generator)
    switch type {
    case 0:
      return tag
        + varint(
          UInt64.random(in: 0...(.max), using: &generator) >> UInt64.random(in: 0...63, using: &generator), &generator)
    case 1: return tag + (0..<8).map { _ in .random(in: 0...255, using: &generator) }
    case 2:
      let content = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        UInt8.random(in: 0...130, using: &generator)
      }
      return tag + varint(UInt64(content.count), &generator) + content
    default: return tag + (0..<4).map { _ in .random(in: 0...255, using: &generator) }
    }
  }

  private func expectAgreement(on bytes: [UInt8]) throws {
    let short = Result { () throws(CodecError) in try Envelope(decoding: bytes.span, limits: limits) }
    let full = Result { () throws(CodecError) in try Envelope(decodingFully: bytes.span, limits: limits) }
    try expectAgreement(short, full, on: bytes)
  }

  private func expectAgreement(
    _ short: Result<Envelope, CodecError>, _ full: Result<Envelope, CodecError>, on bytes: [UInt8]
  ) throws {
    switch (short, full) {
    case (.success(let one), .success(let other)): #expect(one == other, "\(bytes)")
    case (.failure, .failure): break
    default: Issue.record("one way reads what the other refuses: \(bytes)")
    }
  }

  private func randomEnvelope(_ generator: inout SeededGenerator) -> Envelope {
    func chance() -> Bool { Bool.random(using: &generator) }
    func text(_ limit: Int) -> String {
      String(
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in "aé/1~".randomElement(using: &generator) ?? "a" })
    }
    var envelope = Envelope(Envelope.Kind.allCases.randomElement(using: &generator) ?? .open)
    if chance() { envelope.session = UInt64.random(in: 0...(.max), using: &generator) }
    if chance() { envelope.call = UInt64.random(in: 0...500, using: &generator) }
    if chance() { envelope.offset = UInt64.random(in: 0...(1 << 62), using: &generator) }
    if chance() { envelope.credit = UInt64.random(in: 0...300, using: &generator) }
    if chance() { envelope.remainingMilliseconds = UInt32.random(in: 0...(.max), using: &generator) }
    envelope.attempt = UInt8.random(in: 0...5, using: &generator)
    envelope.carriesMessage = chance()
    envelope.statusCode = StatusCode.allCases.randomElement(using: &generator) ?? .ok
    envelope.notStarted = chance()
    envelope.method = text(60)
    envelope.payload = (0..<Int.random(in: 0...300, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
    if chance() { envelope.idempotencyKey = text(40) }
    if chance() {
      let caller = CallerIdentity(
        kind: .person, tenant: text(5), subject: text(9), device: text(3), grants: chance() ? ["a@b", "", "c@*"] : [])
      envelope.extra = Envelope.Extra(
        metadata: Int.random(in: 0..<8, using: &generator) == 0 ? ["a": "b"] : [:],
        caller: chance() ? caller : nil, waitsForReady: Int.random(in: 0..<8, using: &generator) == 0,
        statusMessage: text(20))
    }
    return envelope
  }
}
