import Base
internal import Bus
import HTTPFace
import InteropContract
import TestSupport
import Testing
import Wire

/// HTTP/1.1 at the door, over sockets.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HTTP1DoorTests {
  /// A response as a client reads it.
  private struct Response: Equatable {
    var status: Int
    var fields: [String: String]
    var body: String
  }

  private static let call = "POST /assent.interop.v1.InteropService"
  private static let fields =
    "host: a\r\nauthorization: Bearer \(DoorClient.token)\r\ncontent-type: application/json\r\n"

  private func request(_ method: String, _ body: String = "{}", _ more: String = "") -> String {
    "\(Self.call)/\(method) HTTP/1.1\r\n\(Self.fields)\(more)content-length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Sends the text, closes the sending half, and reads all responses.
  private func responses(to bytes: [UInt8], at bench: DoorBench, host: UInt8 = 1) throws -> [Response] {
    let socket = try ClientSocket(port: bench.port, host: host)
    socket.send(bytes)
    socket.finishSending()
    return Self.parse(socket.receiveAll())
  }

  /// nil where a response is malformed or cut short.
  private static func parse(_ bytes: [UInt8]) -> [Response] {
    var rest = bytes[...]
    var found: [Response] = []
    while !rest.isEmpty, let response = next(&rest) { found.append(response) }
    if !rest.isEmpty { found.append(Response(status: 0, fields: [:], body: String(decoding: rest, as: UTF8.self))) }
    return found
  }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> Response? {
    guard let end = rest.indices.first(where: { rest[$0...].starts(with: "\r\n\r\n".utf8) }) else { return nil }
    let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[String(parts[0])] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    rest = rest[(end + 4)...]
    var body: [UInt8] = []
    if fields["transfer-encoding"] == "chunked" {
      while let line = rest.indices.first(where: { rest[$0...].starts(with: "\r\n".utf8) }) {
        guard let size = Int(String(decoding: rest[..<line], as: UTF8.self), radix: 16) else { return nil }
        guard rest.count >= line - rest.startIndex + size + 4 else { return nil }
        body += rest[(line + 2)..<(line + 2 + size)]
        rest = rest[(line + size + 4)...]
        if size == 0 { break }
      }
    } else {
      let count = Int(fields["content-length"] ?? "0") ?? 0
      guard rest.count >= count else { return nil }
      body += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return Response(status: status, fields: fields, body: String(decoding: body, as: UTF8.self))
  }

  @Test("each request has one answer, what is none is refused once in plain words, and nothing is read after that")
  func raw() async throws {
    let bench = try await DoorBench.start()
    for (number, raw) in RawRequest.all.enumerated() {
      let found = try responses(to: raw.bytes, at: bench, host: UInt8(1 + number % 200))
        // The answer to a client that waits to be asked for its body.
        .filter { $0.status != 100 }
      switch raw.expected {
      case .requests(let requests): #expect(found.count == requests.count, "\(raw.testDescription): \(found)")
      // Where a request goes that has no method may be answered before its body has ended.
      case .unfinished(let requests):
        #expect([0, 1].contains(found.count - requests.count), "\(raw.testDescription): \(found)")
      case .refused(let status, let requests):
        #expect(found.count == requests.count + 1, "\(raw.testDescription): \(found)")
        #expect(found.last?.status == status, "\(raw.testDescription)")
        #expect(found.last?.fields["content-type"] == "text/plain; charset=utf-8", "\(raw.testDescription)")
        #expect(found.last?.fields["connection"] == "close", "\(raw.testDescription)")
      }
      #expect(!found.contains { $0.status == 0 }, "\(raw.testDescription): \(found)")
    }
    try await bench.server.stop()
  }

  @Test("requests that come at once are answered in their order, also behind a client that sends nothing more")
  func pipelined() async throws {
    let bench = try await DoorBench.start()
    let text = (1...20).map { request("UnaryCall", "{\"responseSize\": \($0)}") }.joined()
    let found = try responses(to: Array(text.utf8), at: bench)
    #expect(found.count == 20)
    for (number, response) in found.enumerated() {
      #expect(response.status == 200)
      let answer = try UnaryCallResponse(json: Array(response.body.utf8))
      #expect(answer.payload?.body.count == number + 1)
    }
    try await bench.server.stop()
  }

  @Test("a client that waits to be asked for its body is asked, and one that is refused is not")
  func expectation() async throws {
    let bench = try await DoorBench.start()
    let socket = try ClientSocket(port: bench.port)
    let whole = request("EmptyCall", "{}", "expect: 100-continue\r\n")
    socket.send(Array(whole.dropLast(2).utf8))
    #expect(String(decoding: socket.receive(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    socket.send(Array("{}".utf8))
    #expect(String(decoding: socket.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
    let refused = try ClientSocket(port: bench.port)
    refused.send(Array(whole.replacing(DoorClient.token, with: "ak_other").dropLast(2).utf8))
    #expect(String(decoding: refused.receiveAll(), as: UTF8.self).hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
    try await bench.server.stop()
  }

  @Test("a stream comes in chunks, and to a client of HTTP/1.0 until the connection ends")
  func streams() async throws {
    let bench = try await DoorBench.start()
    var body: [UInt8] = []
    let json = #"{"responseParameters": [{"size": 70000}, {"size": 3}]}"#
    body += [0, 0, 0, 0, UInt8(json.utf8.count)] + Array(json.utf8)
    for version in ["1.1", "1.0"] {
      let head =
        "\(Self.call)/StreamingOutputCall HTTP/\(version)\r\n"
        + Self.fields.replacing("application/json", with: "application/connect+json")
        + "content-length: \(body.count)\r\n\r\n"
      let socket = try ClientSocket(port: bench.port)
      socket.send(Array(head.utf8) + body)
      socket.finishSending()
      let bytes = socket.receiveAll()
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.count > 90_000, "\(text.prefix(300))")
      #expect(text.contains("transfer-encoding: chunked") == (version == "1.1"))
      if version == "1.1" { #expect(Self.parse(bytes).count == 1) }
    }
    try await bench.server.stop()
  }

  @Test("HEAD has the head of GET's answer and no body")
  func head() async throws {
    let bench = try await DoorBench.start()
    let text = ["GET", "HEAD"].map { "\($0) / HTTP/1.1\r\nhost: a\r\n\r\n" }
    let get = try responses(to: Array(text[0].utf8), at: bench)
    let socket = try ClientSocket(port: bench.port)
    socket.send(Array(text[1].utf8))
    socket.finishSending()
    let head = String(decoding: socket.receiveAll(), as: UTF8.self)
    #expect(get.count == 1 && get[0].status == 200)
    #expect(head.hasSuffix("\r\n\r\n") && head.contains("content-length: \(get[0].body.utf8.count)\r\n"), "\(head)")
    try await bench.server.stop()
  }

  @Test("the connection stays open for the next request, unless the client closes it")
  func connection() async throws {
    let bench = try await DoorBench.start()
    let socket = try ClientSocket(port: bench.port)
    for _ in 1...3 {
      socket.send(Array(request("EmptyCall").utf8))
      #expect(Self.parse(socket.receive()).map(\.status) == [200])
    }
    socket.send(Array(request("EmptyCall", "{}", "connection: close\r\n").utf8))
    let last = Self.parse(socket.receiveAll())
    #expect(last.map(\.status) == [200] && last.first?.fields["connection"] == "close")
    try await bench.server.stop()
  }

  @Test("a client that goes away has its call cancelled")
  func gone() async throws {
    var limits = DoorLimits()
    limits.halfClosed = .milliseconds(1)
    let bench = try await DoorBench.start(limits: limits)
    var socket = Optional(try ClientSocket(port: bench.port))
    socket?.send(Array(request("UnaryCall", "{\"sleepMs\": 600000}", "connect-timeout-ms: 600000\r\n").utf8))
    try await bench.untilOpenCalls { $0 == 1 }
    socket = nil
    try await bench.untilOpenCalls { $0 == 0 }
    try await bench.server.stop()
  }

  @Test("a head that comes too slowly ends its connection, and one that rests is closed")
  func slow() async throws {
    var limits = DoorLimits()
    (limits.greeting, limits.idle) = (.milliseconds(1), .milliseconds(1))
    let bench = try await DoorBench.start(limits: limits)
    let sockets = try ["", "GET / HT", request("EmptyCall")].map { text in
      let socket = try ClientSocket(port: bench.port)
      socket.send(Array(text.utf8))
      return socket
    }
    #expect(sockets[0].receiveAll().isEmpty && sockets[1].receiveAll().isEmpty)
    #expect(Self.parse(sockets[2].receiveAll()).map(\.status) == [200])
    try await bench.server.stop()
  }

  @Test("files, pages and Connect's calls of all kinds are served over HTTP/2, too")
  func http2() async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/EmptyCall", [], contentType: "application/json")
    client.send([HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: stream, Array("{}".utf8))])
    #expect(client.body(of: stream) == Array("{}".utf8) && client.fields[":status"] == "200")
    try await bench.server.stop()
  }
}
