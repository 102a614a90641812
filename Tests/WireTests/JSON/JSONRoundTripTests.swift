import Testing
import Wire

@Suite("JSON codec")
struct JSONRoundTripTests {
  @Test(
    "a message with every sort of field comes back as it was",
    arguments: [.standard, .indented] as [JSONEncodingOptions])
  func mixedRoundTrip(_ options: JSONEncodingOptions) throws {
    let message = MixedMessage.example
    let text = try message.jsonText(options)
    #expect(try MixedMessage(json: text) == message)
  }
}
