/// Reads the envelopes that make up nearly all traffic without a detour through protobuf-c's structs.
///
/// It knows the fields of calls on their way. Whatever else it meets (a rare field, one of another wire type, a broken
/// length or text) it leaves to the full decoder, which takes everything and names what is wrong.
extension Envelope {
  /// The envelope; nil when the full decoder must have a look.
  static func readPlain(_ bytes: Span<UInt8>, names: inout MethodNames) -> Envelope? {
    var envelope = Envelope(.unspecified)
    var rare = RareFields()
    var cursor = WireCursor(bytes.indices)
    while !cursor.isAtEnd {
      guard let tag = cursor.short(bytes), envelope.read(tag, bytes, &cursor, &rare, &names) else { return nil }
    }
    envelope.extra = rare.extra
    return envelope
  }

  /// Those of the rare fields that calls on their way have.
  private struct RareFields {
    var statusMessage = ""
    var caller: CallerIdentity?

    var extra: Extra? {
      guard caller != nil || !statusMessage.isEmpty else { return nil }
      return Extra(caller: caller, statusMessage: statusMessage)
    }
  }

  /// Reads one field; false when it is none that is known here. Tags are field numbers, eightfold, and a wire type.
  private mutating func read(
    _ tag: UInt64, _ bytes: Span<UInt8>, _ cursor: inout WireCursor, _ rare: inout RareFields,
    _ names: inout MethodNames
  ) -> Bool {
    switch tag {
    case 2 << 3 | 1: return cursor.fixed64(bytes).assign(to: &session)
    case 3 << 3 | 1: return cursor.fixed64(bytes).assign(to: &call)
    case 11 << 3 | 2: return cursor.range(bytes).flatMap { names.name(bytes.extracting($0)) }.assign(to: &method)
    case 12 << 3 | 2: return cursor.range(bytes).map { bytes.extracting($0).copied }.assign(to: &payload)
    case 15 << 3 | 2: return cursor.text(bytes).assign(to: &rare.statusMessage)
    case 18 << 3 | 2: return cursor.text(bytes).assign(to: &idempotencyKey)
    case 19 << 3 | 2:
      guard rare.caller == nil, let range = cursor.range(bytes) else { return false }
      rare.caller = CallerIdentity.readPlain(bytes, range)
      return rare.caller != nil
    default:
      guard tag & 7 == 0, let number = cursor.varint(bytes) else { return false }
      return read(number: number, field: tag >> 3)
    }
  }

  private mutating func read(number: UInt64, field: UInt64) -> Bool {
    switch field {
    case 1: return UInt8(exactly: number).flatMap(Kind.init(rawValue:)).assign(to: &kind)
    case 4: offset = number
    case 5: credit = number
    case 6: return UInt32(exactly: number).assign(to: &remainingMilliseconds)
    case 7: return UInt8(exactly: number).flatMap(CallPriority.init(rawValue:)).assign(to: &priority)
    case 8: return UInt8(exactly: number).assign(to: &attempt)
    case 9: carriesMessage = number != 0
    case 10: payloadFollows = number != 0
    case 13:
      guard let code = UInt32(exactly: number) else { return false }
      statusCode = StatusCode(wire: code)
    case 14: notStarted = number != 0
    default: return false
    }
    return true
  }
}

extension CallerIdentity {
  fileprivate static func readPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> CallerIdentity? {
    var caller = CallerIdentity(access: .public)
    var cursor = WireCursor(range)
    while !cursor.isAtEnd {
      let isRead =
        switch cursor.short(bytes) {
        case 1 << 3: cursor.varint(bytes).flatMap { MethodDescriptor.Access(rank: $0) }.assign(to: &caller.access)
        case 2 << 3 | 2: cursor.text(bytes).assign(to: &caller.tenant)
        case 3 << 3 | 2: cursor.text(bytes).assign(to: &caller.subject)
        case 4 << 3 | 2: cursor.text(bytes).assign(to: &caller.device)
        case 5 << 3 | 2: cursor.text(bytes).append(to: &caller.grants)
        default: false
        }
      guard isRead else { return nil }
    }
    return caller
  }
}

/// Where reading has come to in protobuf's binary form. What it cannot read is nil.
private struct WireCursor {
  private var place: Int
  private let end: Int

  init(_ range: Range<Int>) {
    place = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { place >= end }

  mutating func varint(_ bytes: Span<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < end, shift < 63 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// A tag or a length: at most three bytes, which is far beyond any envelope's fields and size. Whoever pads them to more
  /// meets the full decoder.
  mutating func short(_ bytes: Span<UInt8>) -> UInt64? {
    let start = place
    guard let value = varint(bytes), place - start <= 3 else { return nil }
    return value
  }

  mutating func fixed64(_ bytes: Span<UInt8>) -> UInt64? {
    guard end - place >= 8 else { return nil }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    place += 8
    return value
  }

  /// Where a field of a stated length stands.
  mutating func range(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard let length = short(bytes), length <= UInt64(end - place) else { return nil }
    defer { place += Int(length) }
    return place..<place + Int(length)
  }

  /// A text, unless it has a zero byte, which protobuf-c cannot carry.
  mutating func text(_ bytes: Span<UInt8>) -> String? {
    range(bytes).flatMap { EnvelopeTexts.string(bytes.extracting($0)) }
  }
}

extension Optional {
  /// Puts the value in its place; false when there is none.
  fileprivate func assign(to place: inout Wrapped) -> Bool {
    guard let self else { return false }
    place = self
    return true
  }

  fileprivate func append(to list: inout [Wrapped]) -> Bool {
    guard let self else { return false }
    list.append(self)
    return true
  }
}
