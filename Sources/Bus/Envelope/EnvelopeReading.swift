internal import RPC

/// The method names and callers of earlier envelopes, which a reader keeps because the same ones arrive again and
/// again.
package struct EnvelopeMemory: Sendable {
  fileprivate var methods: KnownBytes<String>
  fileprivate var callers: KnownBytes<Envelope.Extra>

  package init() {
    self.init(capacity: 256)
  }

  private init(capacity: Int) {
    methods = KnownBytes(capacity: capacity)
    callers = KnownBytes(capacity: capacity)
  }

  /// Keeps nothing.
  static let none = EnvelopeMemory(capacity: 0)
}

/// Decodes the envelopes that make up nearly all traffic, without the detour of protobuf-c's structs.
///
/// It knows the fields of running calls. If it meets anything else (a rare field, one of another wire type, a broken
/// length or text), the full decoder reads the envelope, which knows every field and names what is wrong.
extension Envelope {
  /// Reads into a fresh envelope; false when the full decoder must read it instead, and the result is to be discarded.
  mutating func readPlain(_ bytes: Span<UInt8>, memory: inout EnvelopeMemory) -> Bool {
    WireCursor.read(bytes) { cursor in
      var caller: Extra?
      var message = ""
      while let tag = cursor.nextTag() {
        // The field number times eight, plus the wire type.
        switch tag {
        case 1 << 3: cursor.varint(into: &kind) { UInt8(exactly: $0).flatMap(Kind.init(rawValue:)) }
        case 2 << 3 | 1: session = cursor.fixed64()
        case 3 << 3 | 1: call = cursor.fixed64()
        case 4 << 3: offset = cursor.varint()
        case 5 << 3: credit = cursor.varint()
        case 6 << 3: cursor.varint(into: &remainingMilliseconds) { UInt32(exactly: $0) }
        case 8 << 3: cursor.varint(into: &attempt) { UInt8(exactly: $0) }
        case 9 << 3: carriesMessage = cursor.varint() != 0
        case 10 << 3: payloadFollows = cursor.varint() != 0
        case 11 << 3 | 2: method = cursor.text(knownIn: &memory.methods)
        case 12 << 3 | 2: payload = cursor.bytes()
        case 13 << 3: cursor.varint(into: &statusCode) { UInt32(exactly: $0).map(StatusCode.init(wire:)) }
        case 14 << 3: notStarted = cursor.varint() != 0
        case 15 << 3 | 2: message = cursor.text()
        case 18 << 3 | 2: idempotencyKey = cursor.text()
        // The full decoder merges a second `caller` with the first.
        case 19 << 3 | 2 where caller == nil:
          caller = cursor.message(knownIn: &memory.callers) { Extra(readingCaller: &$0) }
        default: return nil
        }
      }
      extra = message.isEmpty ? caller : Extra(caller: caller?.caller, statusMessage: message)
      return true
    } ?? false
  }
}

extension Envelope.Extra {
  /// Reads the field `caller`; nil when the full decoder must read it.
  fileprivate convenience init?(readingCaller cursor: inout WireCursor) {
    var caller = CallerIdentity(kind: .stranger)
    while let tag = cursor.nextTag() {
      switch tag {
      case 1 << 3: cursor.varint(into: &caller.kind) { CallerKind(number: $0) }
      case 2 << 3 | 2: caller.tenant = cursor.text()
      case 3 << 3 | 2: caller.subject = cursor.text()
      case 4 << 3 | 2: caller.device = cursor.text()
      case 5 << 3 | 2: caller.grants.append(cursor.text())
      default: return nil
      }
    }
    self.init(caller: caller)
  }
}
