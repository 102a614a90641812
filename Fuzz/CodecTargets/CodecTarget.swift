internal import Bus
public import FuzzKit
internal import InteropContract
internal import RPC
internal import Wire

/// What must hold for any bytes given to the codec: no crash, and a message that was read and written reads the same
/// again.
public enum CodecTarget: FuzzTarget {
  /// What does not hold for this input, or nil. The lowest two bits of the first byte choose the binary form, an
  /// envelope or JSON.
  public static func complaint(about input: [UInt8]) -> String? {
    guard let kind = input.first else { return nil }
    let rest = Array(input.dropFirst())
    switch kind % 4 {
    case 0: return complaint(about: rest, as: EveryField.self) ?? complaint(about: rest, as: MixedMessage.self)
    case 2: return complaint(aboutEnvelope: rest)
    default: return complaint(aboutJSON: rest, as: EveryField.self) ?? complaint(aboutJSON: rest, as: MixedMessage.self)
    }
  }

  /// Envelopes are read and written in two ways, which must agree.
  private static func complaint(aboutEnvelope bytes: [UInt8]) -> String? {
    let envelope = try? Envelope(decoding: bytes.span, limits: limits)
    guard envelope == (try? Envelope(decodingFully: bytes.span, limits: limits)) else {
      return "the two ways of reading an envelope disagree"
    }
    guard let envelope, let encoded = try? envelope.encoded() else { return nil }
    guard encoded == (try? envelope.encodedFully()) else { return "the two ways of writing an envelope disagree" }
    return nil
  }

  private static func complaint<M: Message>(about bytes: [UInt8], as _: M.Type) -> String? {
    guard let message = try? M(decoding: bytes, limits: limits) else { return nil }
    guard let encoded = try? message.encoded() else { return "what was read cannot be written" }
    guard let again = try? M(decoding: encoded), (try? again.encoded()) == encoded else {
      return "what was written reads differently"
    }
    // A time out of range has a binary form and no JSON.
    guard let json = try? message.json() else { return nil }
    guard let fromJSON = try? M(json: json), (try? fromJSON.json()) == json else { return "its JSON reads differently" }
    return nil
  }

  private static func complaint<M: Message>(aboutJSON text: [UInt8], as _: M.Type) -> String? {
    guard let message = try? M(json: text, options: JSONDecodingOptions(limits: limits)) else { return nil }
    guard let json = try? message.json() else { return "what was read cannot be written" }
    guard let again = try? M(json: json), (try? again.json()) == json else {
      return "what was written reads differently"
    }
    guard let encoded = try? message.encoded(), (try? M(decoding: encoded).json()) == json else {
      return "its binary form reads differently"
    }
    return nil
  }

  private static let limits = DecodingLimits(size: 1 << 20, expandedSize: 16 << 20)

  /// First inputs: both forms of a few messages.
  public static func seeds() -> [[UInt8]] {
    let item = MixedMessage.Item(
      id: "item", title: "ß🙂", count: 7, enabled: true, kind: .negative, position: .init(x: 1, y: 2, timeMs: -3),
      createdAt: Timestamp(seconds: 1_700_000_000, nanos: 5))
    let messages: [EveryField] = [
      EveryField(),
      EveryField(text: "text", data: [0, 255], int64Value: .min, doubleValue: 0.1, item: item),
      EveryField(timeout: ProtobufDuration(seconds: -1, nanos: -5), texts: ["a", ""], floatValues: [1, .infinity]),
      EveryField(fixed64Values: [UInt64](repeating: 7, count: 300), items: [item, item], unpackedValues: [1, 300]),
      EveryField(
        textByText: ["a": "b", "c": "d"], itemByText: ["": item], numberByFlag: [true: 1], choice: .choiceItem(item)),
    ]
    let seeds = messages.flatMap { message -> [[UInt8]] in
      [(try? message.encoded()).map { [0] + $0 }, (try? message.json()).map { [1] + $0 }].compactMap(\.self)
    }
    return seeds + envelopes().compactMap { envelope -> [UInt8]? in (try? envelope.encoded()).map { [2] + $0 } }
  }

  private static func envelopes() -> [Envelope] {
    var open = Envelope(.open, call: 300)
    open.session = 1 << 60
    open.method = "/assent.interop.v1.InteropService/UnaryCall"
    open.idempotencyKey = "a key"
    open.payload = [1, 2, 3]
    open.carriesMessage = true
    open.extra = Envelope.Extra(
      caller: CallerIdentity(kind: .person, tenant: "t", subject: "ß", device: "d", grants: ["r@s", ""]))
    var status = Envelope(.status, call: 1)
    status.statusCode = .aborted
    status.credit = 1000
    status.extra = Envelope.Extra(metadata: ["a": "b"], statusMessage: "why")
    return [Envelope(.ping), open, status]
  }
}
