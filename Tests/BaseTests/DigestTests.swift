import Base
import Testing

@Suite struct DigestTests {
  @Test("a digest is SHA-256, as in FIPS 180-4's example")
  func knownValue() {
    #expect(Digest(of: Array("abc".utf8)).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("bytes and hexadecimal form read back as the same digest")
  func roundTrip() {
    let digest = Digest(of: [1, 2, 3])
    #expect(Digest(hex: digest.hex) == digest)
    #expect(Digest(bytes: digest.bytes) == digest)
  }

  @Test("the digest of data that arrives in parts is that of the whole")
  func parts() {
    var builder = DigestBuilder()
    builder.update([1])
    builder.update([2, 3])
    #expect(builder.finish() == Digest(of: [1, 2, 3]))
  }

  @Test("anything but 32 bytes is not a digest", arguments: ["", "ab", "zz", String(repeating: "0", count: 66)])
  func refused(hex: String) {
    #expect(Digest(hex: hex) == nil)
  }
}
