import GatewayContract
import RPC
import Testing
import Wire

@testable import gateway

@Suite("what a batch may decode to is bounded by what it may be")
struct BoundedBatchTests {
  @Test("empty calls by the hundred thousand are refused before there is a list of them")
  func emptyCalls() {
    // Each is the first field, with nothing in it.
    let bytes = (0..<600_000).map { $0.isMultiple(of: 2) ? UInt8(0x0A) : 0 }
    let error = #expect(throws: Status.self) { try BoundedBatches.request(bytes) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasPrefix("bad_batch: the request cannot be read: the message unfolds to more") == true)
  }

  @Test("the largest batch that may be made is read", arguments: [1, 64])
  func largest(count: Int) throws {
    let text = String(repeating: "a", count: (1 << 20) / count)
    let call = BatchCall(
      method: "assent.consent.v1.SessionService/StartSession", request: text,
      idempotencyKey: String(repeating: "k", count: 128))
    let batch = BatchRequest(calls: [BatchCall](repeating: call, count: count))
    #expect(try BoundedBatches.request(batch.encoded()) == batch)
  }
}
