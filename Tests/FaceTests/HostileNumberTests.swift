import Base
import ConsentContract
import RPC
import Testing
import Wire

@testable import Face
@testable import HTTPFace

/// Numbers in what services answer, and in what callers say, that would be too large to count with.
@Suite struct HostileNumberTests {
  @Test(
    "seconds to wait are rounded up, and at least one, whatever a service says",
    arguments: [
      ("0", "1"), ("1", "1"), ("1000", "1"), ("1001", "2"), ("-5", "1"), ("-9223372036854775808", "1"),
      ("9223372036854775807", "9223372036854776"),
    ])
  func retryAfter(milliseconds: String, seconds: String) {
    var response = HTTPResponse(429, text: "")
    response.addRetryAfter(Status(.resourceExhausted, "", metadata: ["retry-after-ms": milliseconds]))
    #expect(response["retry-after"] == seconds)
  }

  @Test("a kind of file that there is not means no type", arguments: [Int.min, -1, 0, 3, .max])
  func kinds(number: Int) {
    let types = ["image/png", "image/svg+xml"]
    #expect(DownloadFields.type(number, of: types).isEmpty && DownloadFields.type(1, of: types) == "image/png")
  }

  @Test("an address is not made of a field that is longer than its length can say", arguments: [65_535, 65_536])
  func fields(count: Int) {
    let caller = CallerIdentity(kind: .person, tenant: "t1", subject: String(repeating: "a", count: count))
    let grant = DownloadGrant(
      method: "m", request: [], holder: .identity(caller), expiry: Instant(millisecondsSince1970: 0))
    #expect((grant.bytes == nil) == (count > 65_535))
  }
}
