import Base
import Testing

@Suite("Reading JSON") struct JSONParserTests {
  @Test(
    "a name that would take long to compare is refused, written plainly or escaped", arguments: ["\u{301}", "\\u0301"])
  func longName(_ mark: String) {
    for (count, isRead) in [(30, true), (31, false)] {
      let text = "{\"a\(String(repeating: mark, count: count))\":\"\(String(repeating: mark, count: count))\"}"
      #expect(((try? Self.read(Array(text.utf8))) != nil) == isRead)
    }
  }

  /// What was read, written without blanks and escapes; texts in single quotes.
  private static func form(_ parser: inout JSONParser) throws(JSONError) -> String {
    switch parser.peek() {
    case UInt8(ascii: "{"):
      var members: [String] = []
      try parser.beginObject()
      while let name = try parser.nextName() { members.append("'\(name)':\(try form(&parser))") }
      return "{\(members.joined(separator: ","))}"
    case UInt8(ascii: "["):
      var elements: [String] = []
      try parser.beginArray()
      while try parser.nextElement() { elements.append(try form(&parser)) }
      return "[\(elements.joined(separator: ","))]"
    case UInt8(ascii: "\""): return "'\(try parser.string())'"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try parser.boolean() ? "yes" : "no"
    case UInt8(ascii: "n") where parser.takeNull(): return "null"
    default: return "\(try parser.number())"
    }
  }

  private static func read(_ bytes: [UInt8], deepest: Int = 8) throws(JSONError) -> String {
    var parser = JSONParser(bytes, deepest: deepest)
    let form = try form(&parser)
    try parser.expectEnd()
    return form
  }

  /// Whether the bytes are JSON; fails unless skipping comes to the same answer as reading.
  private static func isJSON(_ bytes: [UInt8], deepest: Int = 8) -> Bool {
    var parser = JSONParser(bytes, deepest: deepest)
    let isSkipped = (try? parser.skip()) != nil && (try? parser.expectEnd()) != nil
    let isRead = (try? read(bytes, deepest: deepest)) != nil
    #expect(isRead == isSkipped, "\(String(decoding: bytes, as: UTF8.self))")
    return isRead
  }

  private static func isJSON(_ text: String, deepest: Int = 8) -> Bool { isJSON(Array(text.utf8), deepest: deepest) }

  @Test(
    "values of every kind are read as they are meant",
    arguments: [
      ("null", "null"), (" true ", "yes"), ("\t\r\nfalse\n", "no"), ("0", "0.0"), ("-0", "-0.0"), ("-12.5e1", "-125.0"),
      ("1E+2", "100.0"), ("25e-1", "2.5"), ("\"\"", "''"), ("[]", "[]"), ("[ ]", "[]"), ("{ }", "{}"),
      ("[1,[2],3]", "[1.0,[2.0],3.0]"),
      (#"{"a":[{}, null], "" : {"b" : "c"}}"#, "{'a':[{},null],'':{'b':'c'}}"),
      (#"{"a":1,"a":2}"#, "{'a':1.0,'a':2.0}"),
      (#""\"\\\/\b\f\n\r\t""#, "'\"\\/\u{8}\u{C}\n\r\t'"), (#""\u0041\u00e9\u20AC\u0000""#, "'Aé€\u{0}'"),
      ("\"é€😀\u{7F}\"", "'é€😀\u{7F}'"), (#""\ud83d\uDE00 and \uD834\udd1e""#, "'😀 and 𝄞'"),
    ])
  func meaning(text: String, form: String) throws {
    #expect(try Self.read(Array(text.utf8)) == form)
    #expect(Self.isJSON(text))
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", " ", "nul", "nullx", "tru", "True", "NaN", "Infinity", "-Infinity", "'a'", "a", "1 1", "[1]]", "1,", "#1",
      "/**/1",
      "01", "-01", "+1", ".5", "1.", "1.e2", "1e", "1e+", "-", "--1", "0x1", "1_0", "1a", "1e1.5",
      "[", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1;2]", "[1}", "]", "{", "{}}", "{1:2}", "{a:1}", "{\"a\"}",
      "{\"a\":}",
      "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{\"a\":1]", "{\"a\":1,,\"b\":2}", "{null:1}",
      "\"", "\"a", "\"a\\", "\"a\\\"", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"", "\"\\U0041\"",
      "\"\u{1}\"",
      "\"a\nb\"", "\"a\tb\"", "\u{FEFF}1", "\u{A0}1",
    ])
  func refused(text: String) {
    #expect(!Self.isJSON(text))
    #expect(!Self.isJSON("{\"a\":[\(text)"))
  }

  @Test(
    "half a character is refused",
    arguments: [
      #"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"\ud800a"#, #"\ud800\n"#, #"\ud800\u0041"#, #"\udc00\ud800"#,
      #"\ud83d\ude0"#,
    ])
  func halves(escapes: String) {
    #expect(!Self.isJSON("\"\(escapes)\""))
    #expect(!Self.isJSON("{\"\(escapes)\":1}"))
  }

  @Test("strings are UTF-8")
  func encoding() {
    for bytes in [[0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]] as [[UInt8]] {
      let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
      #expect(!Self.isJSON(text) && !Self.isJSON(text.dropLast() + Array("\\n\"".utf8)))
    }
  }

  @Test("a document that is cut short is refused, wherever it is cut")
  func truncation() {
    let text = Array(#"{"a":[1.5e1,-2,"é\ud83d\ude00\n",{"b":null}],"c":{},"d":[true,false]}"#.utf8)
    #expect(Self.isJSON(text))
    for count in text.indices { #expect(!Self.isJSON(Array(text.prefix(count))), "the first \(count) bytes") }
  }

  @Test("arrays and objects are as deep as allowed, and no bracket deeper")
  func depth() {
    for (open, close) in [("[", "]"), ("{\"a\":[", "]}")] {
      let each = open.count { "[{".contains($0) }
      let fitting = String(repeating: open, count: 12 / each) + String(repeating: close, count: 12 / each)
      #expect(Self.isJSON(fitting, deepest: 12) && !Self.isJSON(fitting, deepest: 11))
    }
    #expect(Self.isJSON("[[],[[]],{}]", deepest: 3) && Self.isJSON("1", deepest: 0))
    #expect(!Self.isJSON(String(repeating: "[", count: 1_000_000), deepest: 100))
    #expect(!Self.isJSON(String(repeating: "{\"a\":", count: 100_000), deepest: 100))
  }

  @Test("numbers are the nearest double, or infinite; those of more than 64 characters are refused")
  func numbers() throws {
    func number(_ text: String) throws -> Double {
      var parser = JSONParser(Array(text.utf8), deepest: 0)
      return try parser.number()
    }
    #expect(try number("1e400") == .infinity && number("-1e400") == -.infinity && number("1e-400") == 0)
    #expect(try number("9007199254740993") == 9_007_199_254_740_992 && number("0.1") == 0.1)
    #expect(try number("1.7976931348623157e308") == .greatestFiniteMagnitude)
    #expect(try number(String(repeating: "9", count: 64)) == 1e64)
    #expect(
      !Self.isJSON(String(repeating: "9", count: 65)) && !Self.isJSON("1e" + String(repeating: "0", count: 100_000)))
  }

  @Test("integers are whole numbers of 64 bits in one form")
  func integers() throws {
    func integer(_ text: String) throws -> Int64 {
      var parser = JSONParser(Array(text.utf8), deepest: 0)
      return try parser.integer()
    }
    for value in [0, 1, -1, Int64.max, .min] { #expect(try integer(" \(value)") == value) }
    for text in ["-0", "01", "1.0", "1e2", "9223372036854775808", "-9223372036854775809", "", "null", "\"1\""] {
      #expect(throws: JSONError.self, "\(text)") { try integer(text) }
    }
  }

  @Test("a caller can allow what other programs write for numbers that are not finite")
  func nonFinite() throws {
    let bytes = Array("[NaN,Infinity,-Infinity,-1]".utf8)
    var parser = JSONParser(bytes, deepest: 1, allowsNonFinite: true)
    #expect(try Self.form(&parser) == "[nan,inf,-inf,-1.0]")
    parser = JSONParser(bytes, deepest: 1, allowsNonFinite: true)
    try parser.skip()
    #expect(parser.offset == bytes.count)
  }

  @Test(
    "an error says where it is, what is there and what was expected",
    arguments: [
      ("[1, 2 3]", 6, "3]", "',' or ']' belongs there"), ("{\"a\": x}", 6, "x}", "a number belongs there"),
      ("[\"a\\x, and so much more\"]", 3, "\\x, and so m", "behind a backslash is one of \"\\/bfnrtu"),
      ("[\"a", 3, "", "the end of a string belongs there"), ("1 2", 2, "2", "the end belongs there"),
      ("[[[[[[[[[", 8, "[", "arrays and objects are at most 8 deep"),
    ])
  func errors(text: String, offset: Int, found: String, requirement: String) {
    let error = #expect(throws: JSONError.self) { try Self.read(Array(text.utf8)) }
    #expect(error?.offset == offset && error?.found == found && error?.requirement == requirement, "\(error as Any)")
    #expect(!Self.isJSON(text))
  }

  @Test("every character comes back from the text that is written of it")
  func roundTrip() throws {
    for start in stride(from: 0, to: 0x11_0000, by: 64) as StrideTo<UInt32> {
      var text = ""
      for value in start..<start + 64 {
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      for onOneLine in [true, false] {
        var parser = JSONParser(Array(JSONText.quoted(text, onOneLine: onOneLine).utf8), deepest: 0)
        let read = try parser.string()
        #expect(read.unicodeScalars.elementsEqual(text.unicodeScalars))
      }
    }
  }

  @Test("pieces of JSON in any order are read and skipped alike, and trap nothing")
  func noise() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "{", "}", "\"", ":", ",", "[", "]", "\\u", "d83d", "\\ude00", "1", "e", "-", ".", "null", "true", "é", " ",
      "\"a\"", "\"a\":",
    ]
    var valid = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
      }
      if Self.isJSON(text.joined(), deepest: 3) { valid += 1 }
    }
    #expect(valid > 100)
  }
}
