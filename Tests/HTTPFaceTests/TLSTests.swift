import HTTPFace
import Testing

/// A connection's encryption, without a socket.
@Suite struct TLSTests {
  @Test("a client may change keys, but not have answers to that wait without end", arguments: [true, false])
  func newKeys(reads: Bool) async throws {
    let session = try #require(TLSSession(try await TLSServer.selfSigned()))
    let client = try #require(TLSClient())
    func exchange(_ bytes: [UInt8]) -> [UInt8] {
      var (plain, output): ([UInt8], [UInt8]) = ([], [])
      session.receive(bytes.span, into: &plain)
      session.output(into: &output)
      return output
    }
    var words = client.answer([])
    for _ in 0..<3 { words = client.answer(exchange(words)) }
    try #require(client.isReady)
    var (plain, count): ([UInt8], Int) = ([], 0)
    while count < 20_000, !session.isOver {
      let question = client.askForKeys()
      if reads { _ = client.answer(exchange(question)) } else { session.receive(question.span, into: &plain) }
      count += 1
    }
    #expect(reads ? count == 20_000 : (1000..<10_000).contains(count))
  }
}
