import InteropContract
import Testing
import Wire

@Suite("Bad JSON")
struct BadJSONTests {
  private func refusal(_ json: String, _ options: JSONDecodingOptions = .standard) -> CodecError? {
    do throws(CodecError) {
      _ = try EveryField(json: json, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "each mistake has its own code and names its field",
    arguments: [
      (#"{"nothing": 1}"#, .unknownName, ""), (#"{"item": {"nothing": 1}}"#, .unknownName, "item"),
      (#"{"kind": "MIXED_KIND_NONE"}"#, .unknownName, "kind"), (#"{"text": "a", "text": "b"}"#, .duplicate, "text"),
      (#"{"floatValue": 1, "float_value": 2}"#, .duplicate, "floatValue"),
      (#"{"choiceText": "a", "choiceFlag": true}"#, .duplicate, "choiceFlag"),
      (#"{"textByText": {"a": "b", "a": "c"}}"#, .duplicate, "textByText[a]"),
      (#"{"textByText": {"é": "a", "e\u0301": "b"}}"#, .duplicate, "textByText[é]"),
      (#"{"int32Value": 2147483648}"#, .outOfRange, "int32Value"),
      (#"{"uint32Value": -1}"#, .outOfRange, "uint32Value"),
      (#"{"uint64Value": "18446744073709551616"}"#, .outOfRange, "uint64Value"),
      (#"{"int32Value": 1.5}"#, .outOfRange, "int32Value"), (#"{"int32Value": true}"#, .wrongType, "int32Value"),
      (#"{"int32Value": " 1"}"#, .wrongType, "int32Value"), (#"{"int32Value": "x"}"#, .wrongType, "int32Value"),
      (#"{"doubleValue": 1e400}"#, .outOfRange, "doubleValue"), (#"{"floatValue": 1e39}"#, .outOfRange, "floatValue"),
      (#"{"doubleValue": NaN}"#, .notJSON, "doubleValue"), (#"{"doubleValue": "nan"}"#, .wrongType, "doubleValue"),
      (#"{"flag": "true"}"#, .wrongType, "flag"), (#"{"flag": 1}"#, .wrongType, "flag"),
      (#"{"text": 5}"#, .wrongType, "text"), (#"{"data": "a*b"}"#, .outOfRange, "data"),
      (#"{"data": "abcde"}"#, .outOfRange, "data"), (#"{"texts": "a"}"#, .wrongType, "texts"),
      (#"{"texts": ["a", null]}"#, .wrongType, "texts[1]"), (#"{"items": [{}, {"id": 5}]}"#, .wrongType, "items[1].id"),
      (#"{"createdAt": "2024-02-30T00:00:00Z"}"#, .outOfRange, "createdAt"),
      (#"{"createdAt": "0000-01-01T00:00:00Z"}"#, .outOfRange, "createdAt"),
      (#"{"createdAt": "2024-01-01T00:00:00"}"#, .outOfRange, "createdAt"),
      (#"{"timeout": "1"}"#, .outOfRange, "timeout"), (#"{"timeout": "315576000001s"}"#, .outOfRange, "timeout"),
      (#"{"text": "\ud800"}"#, .invalidText, "text"), (#"{"text": "a\u0000b"}"#, .invalidText, "text"),
      ("{\"text\": \"\(String(repeating: "\u{301}", count: 31))\"}", .invalidText, "text"),
      ("{\"text\": \"\(String(repeating: "\\u0301", count: 31))\"}", .invalidText, "text"),
      ("{\"\(String(repeating: "\\u0301", count: 31))\": 1}", .invalidText, ""),
      (#"{"text": "\x"}"#, .notJSON, "text"), ("{\"text\": \"a\nb\"}", .notJSON, "text"),
      (#"{"text": "a"} x"#, .notJSON, ""), (#"{"text": "a",}"#, .notJSON, ""),
      (#"{"int32Value": 01}"#, .notJSON, "int32Value"),
      (#"{"int32Value": +1}"#, .notJSON, "int32Value"), (#"[]"#, .wrongType, ""), ("", .truncated, ""),
      (#"{"text": "a""#, .truncated, ""), (#"{"text": "a"#, .truncated, "text"), ("nul", .wrongType, ""),
    ] as [(String, CodecError.Code, String)])
  func mistakes(_ json: String, _ code: CodecError.Code, _ path: String) {
    let error = refusal(json)
    #expect(error?.code == code, "\(error?.description ?? "accepted")")
    #expect(error?.path == path)
  }

  @Test("an error names line and column")
  func position() {
    let error = refusal("{\n  \"item\": {\n    \"count\": -1\n  }\n}")
    #expect(error?.position?.line == 3)
    #expect(error?.position?.column == 14)
    #expect(
      error?.description
        == "line 3, column 14: item.count: -1 is not a whole number between 0 and 4294967295")
  }

  @Test("unknown fields are skipped on request, to a bounded depth")
  func lenient() throws {
    let lenient = JSONDecodingOptions(ignoresUnknownFields: true)
    let json = #"{"nothing": {"a": [1, "x", null, {"b": false}]}, "text": "kept"}"#
    #expect(try EveryField(json: json, options: lenient) == EveryField(text: "kept"))
    let deep = #"{"nothing": "# + String(repeating: "[", count: 100_000)
    #expect(refusal(deep, lenient)?.code == .tooDeep)
  }

  @Test(
    "megabytes of repetition get a specific error, in time proportional to their length",
    .timeLimit(.minutes(1)),
    arguments: [
      (#"{"int32Value": "#, "9", "}", .outOfRange), (#"{"int32Value": 1e"#, "9", "}", .outOfRange),
      (#"{"doubleValue": "#, "9", "}", .outOfRange), (#"{"data": ""#, "AAA*", #""}"#, .outOfRange),
      (#"{"timeout": ""#, "9", #"s"}"#, .outOfRange), (#"{"text": ""#, #"\u00e4"#, "", .truncated),
      (#"{"flag": true"#, #", "flag": true"#, "}", .duplicate), ("", "   \n", "", .truncated),
      (#"{"items": [{}"#, ", {}", "]}", .expandsTooMuch), (#"{"item": "#, "[", "", .wrongType),
      (#"{""#, "name", #"": 1}"#, .unknownName), (#"{"kind": ""#, "NAME", #""}"#, .unknownName),
    ] as [(String, String, String, CodecError.Code)])
  func large(_ head: String, _ middle: String, _ tail: String, _ code: CodecError.Code) {
    let json = head + String(repeating: middle, count: 8_000_000 / middle.utf8.count) + tail
    let error = refusal(json)
    #expect(error?.code == code, "\(error?.description.prefix(200) ?? "accepted")")
    #expect((error?.description.utf8.count ?? 0) < 1000, "an error does not repeat the input")
  }

  @Test("limits hold for JSON too")
  func limits() {
    let size = JSONDecodingOptions(limits: DecodingLimits(size: 10))
    #expect(refusal(#"{"text": "0123456789"}"#, size)?.code == .tooLarge)
    let expansion = JSONDecodingOptions(limits: DecodingLimits(expandedSize: 100_000))
    let items = "{\"items\": [" + String(repeating: "{},", count: 10_000) + "{}]}"
    #expect(refusal(items, expansion)?.code == .expandsTooMuch)
    let depth = JSONDecodingOptions(limits: DecodingLimits(depth: 2))
    #expect(refusal(#"{"item": {"position": {"x": 1}}}"#, depth)?.code == .tooDeep)
  }
}
