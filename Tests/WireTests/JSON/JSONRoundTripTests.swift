import InteropContract
import Testing
import Wire

@Suite("JSON codec")
struct JSONRoundTripTests {
  @Test(
    "a message with every sort of field comes back as it was",
    arguments: [.standard, .indented] as [JSONEncodingOptions])
  func mixedRoundTrip(_ options: JSONEncodingOptions) throws {
    let message = EveryField.example
    let text = try message.jsonText(options)
    #expect(try EveryField(json: text) == message)
  }
}
