import Base
import InteropContract
import Testing
import Wire

@Suite("Proto3's JSON")
struct JSONFormTests {
  @Test(
    "these spellings mean the same",
    arguments: [
      (#"{"int32Value": 5}"#, #"{"int32_value": "5"}"#), (#"{"int32Value": 500}"#, #"{"int32Value": 5e2}"#),
      (#"{"int32Value": 5}"#, #"{"int32Value": 5.0}"#), (#"{"int64Value": "5"}"#, #"{"int64Value": 5}"#),
      (#"{"data": "+/8="}"#, #"{"data": "-_8"}"#), (#"{"kind": "MIXED_KIND_FIRST"}"#, #"{"kind": 1}"#),
      (#"{"text": "ß🙂/"}"#, #"{"text": "\u00DF\ud83d\ude42\/"}"#), (#"{}"#, #"{"text": null, "items": null}"#),
      (#"{"createdAt": "2024-02-29T12:00:00Z"}"#, #"{"createdAt": "2024-02-29T13:30:00.000+01:30"}"#),
      (#"{"timeout": "1.500s"}"#, #"{"timeout": "1.5s"}"#), (#"{"doubleValue": 5}"#, #"{"doubleValue": "5e0"}"#),
      (#"{"floatValue": "Infinity"}"#, #" { "floatValue" : "Infinity" } "#),
    ])
  func spellings(_ one: String, _ other: String) throws {
    #expect(structure(of: try EveryField(json: one)) == structure(of: try EveryField(json: other)))
  }

  @Test(
    "times are written in UTC with no, three, six or nine digits",
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (951_782_400, 120_000_000, "2000-02-29T00:00:00.120Z"),
      (-62_135_596_800, 1000, "0001-01-01T00:00:00.000001Z"),
      (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
    ] as [(Int64, Int32, String)])
  func times(_ seconds: Int64, _ nanos: Int32, _ text: String) throws {
    let message = EveryField(createdAt: Timestamp(seconds: seconds, nanos: nanos))
    #expect(try message.jsonText() == #"{"createdAt":"\#(text)"}"#)
    #expect(structure(of: try EveryField(json: message.json())) == structure(of: message))
  }

  @Test("a time beyond proto3's range is refused when written, with its path")
  func timesOutOfRange() {
    let message = EveryField(items: [MixedMessage.Item(createdAt: Timestamp(seconds: 1 << 40, nanos: 0))])
    #expect {
      try message.json()
    } throws: { error in
      (error as? CodecError)?.path == "items[0].createdAt"
    }
  }

  @Test("timestamps and durations convert to our own types and back")
  func conversions() {
    #expect(Timestamp(Instant(millisecondsSince1970: -1)) == Timestamp(seconds: -1, nanos: 999_000_000))
    #expect(Timestamp(seconds: -1, nanos: 999_999_999).instant == Instant(millisecondsSince1970: -1))
    #expect(
      Timestamp(Instant(millisecondsSince1970: .min)) == Timestamp(seconds: -9_223_372_036_854_776, nanos: 192_000_000))
    #expect(
      Timestamp(Instant(millisecondsSince1970: .max)) == Timestamp(seconds: 9_223_372_036_854_775, nanos: 807_000_000))
    #expect(Timestamp(seconds: 1 << 40, nanos: 0).instant == nil)
    #expect(ProtobufDuration(.milliseconds(-1500)) == ProtobufDuration(seconds: -1, nanos: -500_000_000))
    #expect(ProtobufDuration(seconds: -1, nanos: -500_000_000).duration == .milliseconds(-1500))
    #expect(ProtobufDuration(seconds: 1, nanos: -1).duration == nil)
  }

  @Test("JSON over several lines reads the same")
  func indented() throws {
    let text = try EveryField(text: "a", item: MixedMessage.Item(), flags: [true]).jsonText(.indented)
    #expect(text == "{\n  \"text\": \"a\",\n  \"item\": {},\n  \"flags\": [\n    true\n  ]\n}")
  }
}
