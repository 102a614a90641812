/// Writes the envelopes that make up nearly all traffic without a detour through protobuf-c's structs: the same bytes.
extension Envelope {
  /// Puts the envelope in protobuf's binary form into a buffer; false when it has something that only the full encoder
  /// knows.
  func writePlain(into bytes: inout [UInt8]) -> Bool {
    guard extra?.isPlain ?? true, !EnvelopeTexts.hasZero(method), !EnvelopeTexts.hasZero(idempotencyKey) else {
      return false
    }
    let texts = method.utf8.count + idempotencyKey.utf8.count + (extra?.statusMessage.utf8.count ?? 0)
    var writer = WireWriter(reusing: &bytes, capacity: payload.count + texts + (extra?.caller == nil ? 96 : 224))
    defer { swap(&bytes, &writer.bytes) }
    writer.number(UInt64(kind.rawValue), field: 1)
    writer.fixed64(session, field: 2)
    writer.fixed64(call, field: 3)
    writer.number(offset, field: 4)
    writer.number(credit, field: 5)
    writer.number(UInt64(remainingMilliseconds), field: 6)
    if kind == .open { writer.number(UInt64(priority.rawValue), field: 7) }
    writer.number(UInt64(attempt), field: 8)
    writer.number(carriesMessage ? 1 : 0, field: 9)
    writer.number(payloadFollows ? 1 : 0, field: 10)
    writer.text(method, field: 11)
    if !payloadFollows, !payload.isEmpty {
      writer.header(payload.count, field: 12)
      writer.bytes += payload
    }
    writer.number(UInt64(statusCode.rawValue), field: 13)
    writer.number(notStarted ? 1 : 0, field: 14)
    if let extra { writer.text(extra.statusMessage, field: 15) }
    writer.text(idempotencyKey, field: 18)
    if let caller = extra?.caller { writer.caller(caller, field: 19) }
    return true
  }
}

extension Envelope.Extra {
  /// Whether all of it is what calls on their way have. Texts with zero bytes are the full encoder's to refuse.
  fileprivate var isPlain: Bool {
    metadata.isEmpty && statusDetails.isEmpty && hello == nil && helloAck == nil && load == nil && !waitsForReady
      && !EnvelopeTexts.hasZero(statusMessage) && (caller?.isPlain ?? true)
  }
}

extension CallerIdentity {
  fileprivate var isPlain: Bool {
    !EnvelopeTexts.hasZero(tenant) && !EnvelopeTexts.hasZero(subject) && !EnvelopeTexts.hasZero(device)
      && !grants.contains(where: EnvelopeTexts.hasZero)
  }
}

extension CallerIdentity {
  /// How many bytes `WireWriter.caller` writes behind the length.
  fileprivate var wireSize: Int {
    let texts = [tenant, subject, device].reduce(0) { $0 + ($1.isEmpty ? 0 : Self.wireSize(of: $1)) }
    return (access.rank == 0 ? 0 : 2) + texts + grants.reduce(0) { $0 + Self.wireSize(of: $1) }
  }

  private static func wireSize(of text: String) -> Int {
    let count = text.utf8.count
    let bitCount = UInt64.bitWidth - (UInt64(count) | 1).leadingZeroBitCount
    return 1 + (bitCount + 6) / 7 + count
  }
}

/// Writes protobuf's binary form. What has its default value is left out.
private struct WireWriter {
  var bytes: [UInt8] = []

  init(reusing buffer: inout [UInt8], capacity: Int) {
    swap(&bytes, &buffer)
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(capacity)
  }

  mutating func number(_ value: UInt64, field: UInt8) {
    guard value != 0 else { return }
    bytes.append(field << 3)
    varint(value)
  }

  mutating func fixed64(_ value: UInt64, field: UInt8) {
    guard value != 0 else { return }
    bytes.append(field << 3 | 1)
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }

  mutating func text(_ text: String, field: UInt8) {
    guard !text.isEmpty else { return }
    header(text.utf8.count, field: field)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func caller(_ caller: CallerIdentity, field: UInt8) {
    header(caller.wireSize, field: field)
    number(UInt64(caller.access.rank), field: 1)
    text(caller.tenant, field: 2)
    text(caller.subject, field: 3)
    text(caller.device, field: 4)
    for grant in caller.grants {
      header(grant.utf8.count, field: 5)
      bytes.append(contentsOf: grant.utf8)
    }
  }

  /// The tag and length of a field that has one. Fields from 16 on take a tag of two bytes.
  mutating func header(_ count: Int, field: UInt8) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(count))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
