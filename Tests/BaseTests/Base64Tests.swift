import Base
import Testing

@Suite("Base64") struct Base64Tests {
  @Test(
    "RFC 4648's examples",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func examples(text: String, encoded: String) {
    let bytes = Array(text.utf8)
    let unpadded = String(encoded.prefix { $0 != "=" })
    #expect(Base64.encode(bytes) == encoded && Base64.decode(encoded) == bytes)
    #expect(Base64.encode(bytes, padded: false) == unpadded && Base64URL.encode(bytes) == unpadded)
    #expect(Base64URL.decode(unpadded) == bytes)
    for form in [encoded, unpadded] { #expect(Base64.decodeLeniently(Array(form.utf8).span) == bytes) }
  }

  @Test("the alphabets differ in two letters")
  func alphabets() {
    let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
    #expect(Base64.encode(bytes) == "++//" && Base64URL.encode(bytes) == "--__")
    #expect(Base64.decode("++//") == bytes && Base64.decode("--__") == nil)
    #expect(Base64URL.decode("--__") == bytes && Base64URL.decode("++//") == nil)
    for form in ["++//", "--__", "+-/_"] { #expect(Base64.decodeLeniently(Array(form.utf8).span) == bytes) }
  }

  @Test("bytes of every value and any number come back")
  func roundTrip() {
    for count in 0...256 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes && Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      var text = Array("x".utf8)
      Base64.append(bytes.span, to: &text)
      #expect(text == Array("x\(Base64.encode(bytes))".utf8))
    }
  }

  @Test(
    "there is one text for the same bytes",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm8", "Z", "Zm9vZ", "=", "====", "Zg==Zg==", "Zm9v====", "Zm 8", "Zm8=\n",
      "Zm8é",
    ])
  func strict(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("in addresses too", arguments: ["Zg==", "Zh", "Zm9", "Z", "Zm9vZ", "Zm8=", "Z m8", "Zmé"])
  func strictInAddresses(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("readers of messages are lenient about the last bits, and about no wrong letter or padding")
  func lenient() {
    func decoded(_ text: String) -> [UInt8]? { Base64.decodeLeniently(Array(text.utf8).span) }
    #expect(decoded("Zh==") == [0x66] && decoded("Zh") == [0x66])
    for text in ["Z", "Zg=", "Zm9v=", "Zm9vYg===", "Z=g=", "Zm 8", "Zm8é", "===="] {
      #expect(decoded(text) == nil, "\(text)")
    }
  }
}
