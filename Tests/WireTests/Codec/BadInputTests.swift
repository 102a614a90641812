import Base
import InteropContract
import TestSupport
import Testing
import Wire

/// Malformed bytes: each gets a specific error, in bounded time and memory.
@Suite("Bad binary input")
struct BadInputTests {
  private func refusal(_ bytes: [UInt8], limits: DecodingLimits = .standard) -> CodecError? {
    do throws(CodecError) {
      _ = try EveryField(decoding: bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// A field's tag in one or two bytes.
  private func tag(_ number: Int, _ wireType: Int) -> [UInt8] {
    let value = number << 3 | wireType
    return value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80, UInt8(value >> 7)]
  }

  private func delimited(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    tag(number, 2) + [UInt8(content.count)] + content
  }

  @Test("a truncated message is refused, or reads as the fields that are complete")
  func truncation() throws {
    let whole = try EveryField.example.encoded()
    var refused = 0
    for count in 1..<whole.count {
      guard let error = refusal(Array(whole.prefix(count))) else { continue }
      #expect(error.code == .truncated, "at \(count): \(error)")
      refused += 1
    }
    #expect(refused > whole.count / 2)
  }

  @Test(
    "a wrong wire type names the field, for a boolean too", arguments: [(1, 0), (3, 2), (4, 5), (14, 1), (17, 0)])
  func wrongWireTypes(_ number: Int, _ wireType: Int) {
    let error = refusal(tag(number, wireType) + [UInt8](repeating: 1, count: 9))
    #expect(error?.code == .wrongType)
    #expect(error?.path.isEmpty == false)
  }

  @Test(
    "text that is not UTF-8, or contains NUL, is refused with its path",
    arguments: [
      [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0x00, 0x62], [0xe2, 0x82],
    ])
  func brokenText(_ text: [UInt8]) {
    #expect(
      refusal(delimited(1, text))
        == CodecError(code: .invalidText, path: "text", message: "text must be UTF-8 without NUL"))
    let nested = delimited(36, delimited(2, Array("fine".utf8))) + delimited(36, delimited(2, text))
    #expect(refusal(nested)?.path == "items[1].title")
    let long = Array("a text that is longer than a word or two ".utf8) + text
    #expect(refusal(delimited(20, [0x61]) + delimited(20, long))?.path == "texts[1]")
  }

  @Test("a request's text that would take long to compare is refused; what was stored is read")
  func marks() {
    for (count, isRead) in [(30, true), (31, false)] {
      let text = Array(("a" + String(repeating: "\u{301}", count: count)).utf8)
      let nested = delimited(36, delimited(2, text))
      #expect(refusal(nested, limits: .requests)?.message == (isRead ? nil : StreamSafeText.requirement))
      #expect(refusal(nested, limits: .requests)?.path == (isRead ? nil : "items[0].title"))
      #expect(refusal(nested) == nil)
    }
  }

  @Test("a field that the contract does not name is checked and dropped")
  func unknownFields() throws {
    let known = try EveryField(text: "kept").encoded()
    let unknown = delimited(999, [0, 0xff, 1]) + tag(998, 0) + [5] + tag(997, 1) + [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(try EveryField(decoding: unknown + known).encoded() == known)
    #expect(refusal(tag(999, 2) + [9, 1])?.code == .truncated)
  }

  @Test("groups, wire types that do not exist and the field number 0 are refused")
  func malformed() {
    #expect(refusal(tag(1, 3) + tag(1, 4))?.code == .malformed)
    #expect(refusal(tag(900, 3) + tag(900, 4))?.code == .malformed)
    #expect(refusal(tag(1, 6))?.code == .malformed)
    #expect(refusal(tag(1, 7))?.code == .malformed)
    #expect(refusal([0x00, 0x01])?.code == .malformed)
    #expect(refusal([UInt8](repeating: 0xff, count: 11))?.code == .malformed)
  }

  @Test("an input over the limit is refused unread")
  func tooLarge() {
    let error = refusal([UInt8](repeating: 0, count: 101), limits: DecodingLimits(size: 100))
    #expect(error?.code == .tooLarge)
    #expect(error?.description == "101 bytes are more than 100")
  }

  @Test("ten megabytes of empty messages are refused before they expand to hundreds")
  func expansion() throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12_000_000)
    for _ in 0..<4_000_000 { bytes += [0xa2, 0x02, 0x00] }
    let before = try residentBytes()
    let error = refusal(bytes)
    #expect(error?.code == .expandsTooMuch)
    #expect(error?.isLimit == true)
    // A copy of the input is let pass, and what tests before this one still do.
    #expect(try residentBytes() - before < 96 << 20)
  }

  @Test("messages nested deeper than the limit are refused, whatever the contract allows")
  func depth() throws {
    let message = EveryField(item: MixedMessage.Item(position: MixedMessage.Point(x: 1)))
    let bytes = try message.encoded()
    #expect(structure(of: try EveryField(decoding: bytes, limits: DecodingLimits(depth: 3))) == structure(of: message))
    let error = refusal(bytes, limits: DecodingLimits(depth: 2))
    #expect(error?.code == .tooDeep)
    #expect(error?.path == "item.position")
  }

  @Test("a text that protobuf-c cannot represent is not cut short but refused, with its path")
  func unrepresentableText() {
    var message = EveryField.example
    message.items[1].title = "a\0b"
    #expect(throws: CodecError(code: .invalidText, path: "items[1].title", message: "text may not contain NUL")) {
      try message.encoded()
    }
    #expect(throws: CodecError.self) { try EveryField(choice: .choiceText("\0")).json() }
  }

  @Test("packed numbers are read from both forms; a list that is interrupted continues")
  func packing() throws {
    let single = tag(25, 0) + [7] + delimited(25, [8, 9]) + tag(25, 0) + [10]
    #expect(try EveryField(decoding: single).uint32Values == [7, 8, 9, 10])
    #expect(try EveryField(decoding: delimited(37, [1, 2])).unpackedValues == [1, 2])
    let odd = delimited(29, [1, 2, 3])
    #expect(refusal(odd)?.code == .truncated)
  }

  @Test("long lists of numbers keep their order, however they are packed, and the rest of the message is unchanged")
  func numberLists() throws {
    var message = EveryField.example
    message.floatValues = (0..<5000).map { Float($0) }
    message.fixed64Values = (0..<3000).map { UInt64($0) }
    let bytes = try message.encoded()
    #expect(structure(of: try EveryField(decoding: bytes)) == structure(of: message))
    let more = bytes + tag(33, 5) + [0, 0, 0x80, 0x3f] + delimited(33, [0, 0, 0, 0x40])
    #expect(try EveryField(decoding: more).floatValues.suffix(3) == [4999, 1, 2])
    #expect(refusal(Array(bytes.dropLast(1)))?.code == .truncated)
  }

  @Test("whichever byte changes, the outcome is a message or an error")
  func mutations() throws {
    let whole = try EveryField.example.encoded()
    for index in whole.indices {
      for change: UInt8 in [0x01, 0x80, 0xff] {
        var bytes = whole
        bytes[index] ^= change
        if let message = try? EveryField(decoding: bytes) {
          #expect((try? EveryField(decoding: message.encoded())) != nil)
        }
      }
    }
  }
}
