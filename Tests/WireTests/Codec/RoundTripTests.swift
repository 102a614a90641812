import InteropContract
import Testing
import Wire

@Suite("Binary codec")
struct RoundTripTests {
  @Test("a message with every kind of field reads back unchanged")
  func mixedRoundTrip() throws {
    let message = EveryField.example
    let bytes = try message.encoded()
    #expect(structure(of: try EveryField(decoding: bytes)) == structure(of: message))
  }

  @Test("the same value gives the same bytes, whatever order its maps have in memory")
  func encodingIsDeterministic() throws {
    var message = EveryField()
    for index in 0..<100 { message.textByText["key \(index)"] = "value \(index)" }
    var other = EveryField()
    for index in (0..<100).reversed() { other.textByText["key \(index)"] = "value \(index)" }
    #expect(try message.encoded() == other.encoded())
  }

  @Test("messages are equal when their fields are, and serve as keys")
  func equality() {
    var other = EveryField.example
    #expect(other == EveryField.example)
    other.flag.toggle()
    #expect(other != EveryField.example)
    #expect(Set([MessageKey(other), MessageKey(.example), MessageKey(other)]).count == 2)
  }

  @Test("messages that cannot be sent are compared too")
  func equalityWithoutBytes() {
    #expect(EveryField(text: "a\u{0}b") == EveryField(text: "a\u{0}b"))
    #expect(EveryField(text: "a\u{0}b") != EveryField(text: "a\u{0}c"))
    #expect(EveryField(text: "a\u{0}b") != EveryField(text: "a"))
  }

  @Test("a message in which nothing is set has no bytes")
  func emptyMessage() throws {
    #expect(try EveryField().encoded().isEmpty)
    #expect(structure(of: try EveryField(decoding: [])) == structure(of: EveryField()))
  }

  @Test(
    "each case of a oneof reads back, also with the default value of its field",
    arguments: [
      .choiceText("text"), .choiceText(""), .choiceData([1, 0, 2]), .choiceData([]), .choiceNumber(-5),
      .choiceNumber(0),
      .choiceFlag(false), .choiceKind(.unspecified), .choiceKind(.negative), .choiceItem(.init()),
    ] as [EveryField.Choice])
  func oneof(_ choice: EveryField.Choice) throws {
    let message = EveryField(choice: choice)
    #expect(structure(of: try EveryField(decoding: message.encoded())) == structure(of: message))
  }
}

extension EveryField {
  /// Every field set.
  static var example: EveryField {
    let item = MixedMessage.Item(
      id: "item-1", title: "Überschrift 漢字 🙂", count: 3, enabled: true, kind: .second,
      position: MixedMessage.Point(x: 1.5, y: -2.25, timeMs: -7), createdAt: Timestamp(seconds: 1_700_000_000, nanos: 5)
    )
    return EveryField(
      text: "A text that is longer than fifteen bytes", data: [0, 1, 255], flag: true, int32Value: .min,
      int64Value: .min, uint32Value: .max, uint64Value: .max, sint32Value: -1, sint64Value: -1, fixed32Value: 7,
      fixed64Value: 8, sfixed32Value: -7, sfixed64Value: -8, floatValue: 0.1, doubleValue: -0.1,
      kind: .unrecognized(77), item: item, createdAt: Timestamp(seconds: -1, nanos: 999_999_999),
      timeout: ProtobufDuration(seconds: 3, nanos: 4), texts: ["", "a", "ß"], blobs: [[], [0]],
      flags: [true, false], int32Values: [-1, 0, 1], int64Values: [.min, .max], uint32Values: [0, .max],
      uint64Values: [0, .max], sint32Values: [.min, .max], sint64Values: [.min, .max], fixed32Values: [0, 1],
      fixed64Values: [2], sfixed32Values: [-3], sfixed64Values: [-4], floatValues: [.infinity, -0.5],
      doubleValues: [.pi], kinds: [.first, .negative, .large, .unrecognized(5)], items: [item, MixedMessage.Item()],
      unpackedValues: [1, 300, 70_000], textByText: ["": "", "a": "b"],
      itemByText: ["x": item, "": MixedMessage.Item()],
      dataByNumber: [-1: [1], .max: []], kindByNumber: [0: .first, 1: .unspecified],
      numberByFlag: [true: 1, false: 0], choice: .choiceText("chosen"), farAway: 9)
  }
}
