import Base
import InteropContract
import Wire

/// Random messages for property tests, the same for the same seed.
struct RandomMessage {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func everyField() -> EveryField {
    let density: Double = [0.05, 0.3, 1.0].randomElement(using: &generator) ?? 1
    var message = EveryField()
    func some() -> Bool { Double.random(in: 0..<1, using: &generator) < density }
    if some() { message.text = text() }
    if some() { message.data = bytes() }
    message.flag = some()
    if some() { message.int32Value = number() }
    if some() { message.int64Value = number() }
    if some() { message.uint32Value = number() }
    if some() { message.uint64Value = number() }
    if some() { message.sint32Value = number() }
    if some() { message.sint64Value = number() }
    if some() { message.fixed32Value = number() }
    if some() { message.fixed64Value = number() }
    if some() { message.sfixed32Value = number() }
    if some() { message.sfixed64Value = number() }
    if some() { message.floatValue = Float(bitPattern: number()).orOne }
    if some() { message.doubleValue = Double(bitPattern: number()).orOne }
    if some() { message.kind = kind() }
    if some() { message.item = item() }
    if some() { message.createdAt = timestamp() }
    if some() { message.timeout = duration() }
    if some() { message.texts = list { $0.text() } }
    if some() { message.blobs = list { $0.bytes() } }
    if some() { message.flags = list { Bool.random(using: &$0.generator) } }
    if some() { message.int32Values = list { $0.number() } }
    if some() { message.int64Values = list { $0.number() } }
    if some() { message.uint32Values = list { $0.number() } }
    if some() { message.uint64Values = list { $0.number() } }
    if some() { message.sint32Values = list { $0.number() } }
    if some() { message.sint64Values = list { $0.number() } }
    if some() { message.fixed32Values = list { $0.number() } }
    if some() { message.fixed64Values = list { $0.number() } }
    if some() { message.sfixed32Values = list { $0.number() } }
    if some() { message.sfixed64Values = list { $0.number() } }
    if some() { message.floatValues = list { Float(bitPattern: $0.number()).orOne } }
    if some() { message.doubleValues = list { Double(bitPattern: $0.number()).orOne } }
    if some() { message.kinds = list { $0.kind() } }
    if some() { message.items = list { $0.item() } }
    if some() { message.unpackedValues = list { $0.number() } }
    if some() { message.textByText = map { ($0.text(), $0.text()) } }
    if some() { message.itemByText = map { ($0.text(), $0.item()) } }
    if some() { message.dataByNumber = map { ($0.number(), $0.bytes()) } }
    if some() { message.kindByNumber = map { ($0.number(), $0.kind()) } }
    if some() { message.numberByFlag = map { (Bool.random(using: &$0.generator), Double($0.number() as Int32)) } }
    if some() { message.choice = choice() }
    if some() { message.farAway = number() }
    return message
  }

  private mutating func choice() -> EveryField.Choice {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: .choiceText(text())
    case 1: .choiceData(bytes())
    case 2: .choiceNumber(number())
    case 3: .choiceFlag(Bool.random(using: &generator))
    case 4: .choiceKind(kind())
    default: .choiceItem(item())
    }
  }

  private mutating func item() -> MixedMessage.Item {
    MixedMessage.Item(
      id: text(), title: text(), count: number(), enabled: Bool.random(using: &generator), kind: kind(),
      position: Bool.random(using: &generator) ? MixedMessage.Point(x: 1, y: -2.5, timeMs: number()) : nil,
      createdAt: Bool.random(using: &generator) ? timestamp() : nil)
  }

  private mutating func timestamp() -> Timestamp {
    Timestamp(
      seconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator),
      nanos: [0, 1, 500_000_000, 999_999_999, 1000].randomElement(using: &generator) ?? 0)
  }

  private mutating func duration() -> ProtobufDuration {
    let sign: Int64 = Bool.random(using: &generator) ? 1 : -1
    return ProtobufDuration(
      seconds: sign * Int64.random(in: 0...315_576_000_000, using: &generator),
      nanos: Int32(sign) * Int32.random(in: 0...999_999_999, using: &generator))
  }

  private mutating func kind() -> MixedKind {
    MixedKind(number: [0, 1, 2, -1, 1_000_000, 77, .min].randomElement(using: &generator) ?? 0)
  }

  /// Extreme values as often as all others.
  private mutating func number<Number: FixedWidthInteger>() -> Number {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: .min
    case 1: .max
    case 2: 0
    case 3: 1
    case 4: Number.random(in: 0...120, using: &generator)
    default: Number.random(in: .min ... .max, using: &generator)
    }
  }

  private mutating func text() -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{c}", "\u{1}", "\u{1f}", "\u{7f}", "ß", "漢", "🙂",
      "\u{2028}", "\u{feff}", "\u{ffff}", "\u{10ffff}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      if let scalar = alphabet.randomElement(using: &generator) { text.append(scalar) }
    }
    return String(text)
  }

  private mutating func bytes() -> [UInt8] {
    list { UInt8.random(in: 0...255, using: &$0.generator) }
  }

  private mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
    var list: [Element] = []
    for _ in 0..<Int.random(in: 0...6, using: &generator) { list.append(element(&self)) }
    return list
  }

  private mutating func map<Key: Hashable, Value>(_ pair: (inout Self) -> (Key, Value)) -> [Key: Value] {
    Dictionary(list(pair), uniquingKeysWith: { $1 })
  }
}

extension BinaryFloatingPoint {
  /// NaN is equal to nothing, and protobuf-c takes a negative zero for a field that is not set: neither can be
  /// compared.
  fileprivate var orOne: Self { isNaN || isZero ? 1 : self }
}
