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
}
