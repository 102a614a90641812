import Base
import Testing

@Suite struct NetworkAddressTests {
  @Test(
    "addresses of the internet are public",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1",
      "192.167.1.1",
      "198.17.0.1", "198.20.0.1", "223.255.255.255", "2600::1", "2a00:1450::1", "2001:4860::1", "::ffff:8.8.8.8",
      "64:ff9b::808:808", "2002:808:808::1",
    ])
  func isPublic(text: String) throws {
    #expect(try #require(NetworkAddress(text: text)).isPublic)
  }

  @Test(
    "all others are not, in whatever form they are written",
    arguments: [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1",
      "172.31.255.255",
      "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
      "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
      "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "fc00::1", "fd12::1",
      "fe80::1", "fec0::1", "ff02::1", "3ffe::1", "4000::1",
    ])
  func isNotPublic(text: String) throws {
    #expect(!(try #require(NetworkAddress(text: text)).isPublic))
  }

  @Test("a range contains what begins with its bits")
  func ranges() throws {
    let start = try #require(NetworkAddress(text: "10.32.0.0"))
    let range = try #require(NetworkRange(start, bits: 11))
    for (text, isInside) in [("10.32.0.0", true), ("10.63.255.255", true), ("10.64.0.0", false), ("10.31.1.1", false)] {
      #expect(range.contains(try #require(NetworkAddress(text: text))) == isInside, "\(text)")
    }
    #expect(!range.contains(try #require(NetworkAddress(text: "::ffff:10.32.0.0"))))
    #expect(NetworkRange(start, bits: 33) == nil)
  }
}
