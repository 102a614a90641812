import Base
import GRPC
import TestSupport
import Testing

/// A connection's encryption, without a socket.
@Suite struct TLSTests {
  private func server() async throws -> TLSServer {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.file("certificate"), folder.file("key"))
    let made = try await ChildProcess.output(
      of: ChildCommand(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
          "-days", "2", "-keyout", key, "-out", certificate,
        ]))
    try #require(made.exit.isSuccess, "\(made.lines)")
    let server = try TLSServer(certificate: Files.read(certificate), key: Files.read(key))
    withExtendedLifetime(folder) {}
    return server
  }

  @Test("a client may change keys, but not have answers to that wait without end", arguments: [true, false])
  func newKeys(reads: Bool) async throws {
    let session = try #require(TLSSession(try await server()))
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
