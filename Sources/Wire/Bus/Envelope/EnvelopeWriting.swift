/// Writes the envelopes that make up nearly all traffic without a detour through protobuf-c's structs: the same bytes.
extension Envelope {
  /// The envelope in protobuf's binary form; nil when it has something that only the full encoder knows.
  func writtenPlain() -> [UInt8]? {
    guard extra?.isPlain ?? true, !method.utf8.contains(0) else { return nil }
    let texts = method.utf8.count + (extra.map { $0.idempotencyKey.utf8.count + $0.statusMessage.utf8.count } ?? 0)
    var writer = WireWriter(capacity: payload.count + texts + 96 + (extra?.caller == nil ? 0 : 128))
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
    if let extra {
      writer.text(extra.statusMessage, field: 15)
      writer.text(extra.idempotencyKey, field: 18)
      if let caller = extra.caller { writer.caller(caller, field: 19) }
    }
    return writer.bytes
  }
}

extension Envelope.Extra {
  /// Whether all of it is what calls on their way have. Texts with zero bytes are the full encoder's to refuse.
  fileprivate var isPlain: Bool {
    metadata.isEmpty && statusDetails.isEmpty && hello == nil && helloAck == nil && load == nil && !waitsForReady
      && !idempotencyKey.utf8.contains(0) && !statusMessage.utf8.contains(0) && (caller?.isPlain ?? true)
  }
}

extension CallerIdentity {
  fileprivate var isPlain: Bool {
    !tenant.utf8.contains(0) && !subject.utf8.contains(0) && !device.utf8.contains(0)
      && !grants.contains { $0.utf8.contains(0) }
  }
}

/// Writes protobuf's binary form. What has its default value is left out.
private struct WireWriter {
  var bytes: [UInt8] = []

  init(capacity: Int) {
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
    var inner = WireWriter(capacity: 128)
    inner.number(UInt64(caller.access.rank), field: 1)
    inner.text(caller.tenant, field: 2)
    inner.text(caller.subject, field: 3)
    inner.text(caller.device, field: 4)
    for grant in caller.grants {
      inner.header(grant.utf8.count, field: 5)
      inner.bytes.append(contentsOf: grant.utf8)
    }
    header(inner.bytes.count, field: field)
    bytes += inner.bytes
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
