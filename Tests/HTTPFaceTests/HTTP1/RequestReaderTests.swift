import HTTP1
import Testing

/// How requests are read from bytes, in whatever pieces they come.
@Suite(.timeLimit(.minutes(1))) struct RequestReaderTests {
  @Test("a request is read as the RFC says", arguments: RawRequest.all)
  func reading(_ raw: RawRequest) {
    #expect(read(raw.bytes, piece: raw.bytes.count) == raw.expected)
  }

  @Test("it makes no difference in which pieces a request comes", arguments: RawRequest.all)
  func pieces(_ raw: RawRequest) {
    for piece in [1, 2, 3, 7] { #expect(read(raw.bytes, piece: piece) == raw.expected, "pieces of \(piece) bytes") }
  }

  @Test("the host of a whole address replaces that of the header")
  func hostOfAddress() throws {
    let head = try head(of: "GET http://b:81/x HTTP/1.1\r\nhost: a\r\n\r\n")
    #expect(head["host"] == "b:81")
  }

  @Test("a connection stays open in HTTP/1.1 and closes in 1.0, unless the client says otherwise")
  func connection() throws {
    #expect(try head(of: "GET / HTTP/1.1\r\nhost: a\r\n\r\n").keepsConnection)
    #expect(try !head(of: "GET / HTTP/1.1\r\nhost: a\r\nconnection: Close\r\n\r\n").keepsConnection)
    #expect(try !head(of: "GET / HTTP/1.0\r\n\r\n").keepsConnection)
    #expect(try head(of: "GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n").keepsConnection)
    #expect(try !head(of: "GET / HTTP/1.1\r\nhost: a\r\nconnection: keep-alive, close\r\n\r\n").keepsConnection)
  }

  @Test("a client is asked for its body where it waits for that, and has one")
  func expectation() throws {
    let line = "host: a\r\nexpect: 100-continue\r\n"
    #expect(try head(of: "POST / HTTP/1.1\r\n\(line)content-length: 1\r\n\r\n").expectsContinue)
    #expect(try !head(of: "POST / HTTP/1.1\r\n\(line)content-length: 0\r\n\r\n").expectsContinue)
    #expect(try !head(of: "POST / HTTP/1.0\r\n\(line)content-length: 1\r\n\r\n").expectsContinue)
  }

  private func head(of text: String) throws -> ReceivedHead {
    var reader = RequestReader()
    reader.append(Array(text.utf8).span)
    guard case .head(let head)? = try reader.next() else { throw NoHead() }
    return head
  }

  private struct NoHead: Error {}

  private func read(_ bytes: [UInt8], piece: Int) -> RawRequest.Reading {
    var reader = RequestReader()
    var requests: [String] = []
    var current = ""
    do throws(RequestFault) {
      for start in stride(from: 0, to: bytes.count, by: max(1, piece)) {
        reader.append(Array(bytes[start..<min(start + piece, bytes.count)]).span)
        while let event = try reader.next() {
          switch event {
          case .head(let head): current = "\(head.method) \(head.target) "
          case .body(let bytes): current += String(decoding: bytes, as: UTF8.self)
          case .end: requests.append(current)
          }
        }
      }
    } catch {
      return .refused(error.status, after: requests)
    }
    return requests.isEmpty || reader.isInsideRequest ? .unfinished(after: requests) : .requests(requests)
  }
}
