import InteropContract
import Testing
import Wire

@Suite("JSON codec")
struct JSONRoundTripTests {
  @Test(
    "a message with every kind of field reads back unchanged",
    arguments: [.standard, .indented] as [JSONEncodingOptions])
  func mixedRoundTrip(_ options: JSONEncodingOptions) throws {
    let message = EveryField.example
    let text = try message.jsonText(options)
    #expect(structure(of: try EveryField(json: text)) == structure(of: message))
  }

  @Test("members mean the same in any order")
  func order() throws {
    let text = try EveryField.example.jsonText(.indented)
    var members: [String] = []
    // Members of the message itself begin with two blanks; what is inside of them begins with more.
    for line in text.split(separator: "\n").dropFirst().dropLast() {
      if line.hasPrefix("  \"") { members.append("") }
      members[members.count - 1] += line
    }
    #expect(members.count > 10)
    let bare = members.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    for order in [bare.reversed(), bare.shuffled(), bare.shuffled()] as [[String]] {
      let message = try EveryField(json: "{\(order.joined(separator: ","))}")
      #expect(structure(of: message) == structure(of: EveryField.example))
    }
  }

  @Test("a number is read as the nearest double, however many digits it has")
  func doubles() throws {
    var texts = [
      "-0", "9007199254740991e22", "9007199254740993", "0.1e-22", "123456789012345678901234567890", "5e-324",
    ]
    for _ in 0..<20_000 {
      let digits = String((0..<Int.random(in: 1...19)).map { _ in "0123456789".randomElement() ?? "0" })
      let point = Bool.random() ? ".\(UInt32.random(in: 0...99_999))" : ""
      let exponent = Bool.random() ? "e\(Int.random(in: -40...40))" : ""
      texts.append("\(Bool.random() ? "-" : "")1\(digits)\(point)\(exponent)")
    }
    for text in texts {
      let number = try EveryField(json: #"{"doubleValue": \#(text)}"#).doubleValue
      #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }
}
