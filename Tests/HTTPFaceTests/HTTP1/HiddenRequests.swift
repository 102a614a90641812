/// Requests whose bodies hide another one, for a reader that takes their framing in another way than the one before it.
enum HiddenRequests {
  private static let hidden = "GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n"

  /// Lines of a header; `N` stands for a length.
  private static let framings = [
    "content-length: N\r\ntransfer-encoding: chunked",
    "transfer-encoding: chunked\r\ncontent-length: N",
    "content-length: N\r\ntransfer-encoding : chunked",
    "content-length: N\r\n transfer-encoding: chunked",
    "content-length: N\r\ntransfer-encoding:\r\n chunked",
    "content-length: N\r\ntransfer-encoding:\tchunked",
    "content-length: N\r\ntransfer-encoding:\u{B}chunked",
    "content-length: N\r\ntransfer-encoding: chunked\u{B}",
    "content-length: N\r\ntransfer-encoding: chunked\u{0}",
    "content-length: N\r\ntransfer-encoding\u{0}: chunked",
    "content-length: N\r\ntransfer-encoding: CHUNKED",
    "content-length: N\r\ntransfer-encoding: xchunked",
    "content-length: N\r\ntransfer-encoding: chunkedx",
    "content-length: N\r\ntransfer-encoding: \"chunked\"",
    "content-length: N\r\ntransfer-encoding: 'chunked'",
    "content-length: N\r\ntransfer-encoding: chunked;a=b",
    "content-length: N\r\ntransfer-encoding: chunked, identity",
    "content-length: N\r\ntransfer-encoding: identity, chunked",
    "content-length: N\r\ntransfer-encoding: , chunked",
    "content-length: N\r\ntransfer-encoding: identity\r\ntransfer-encoding: chunked",
    "content-length: N\r\ntransfer-encoding: chunked\r\ntransfer-encoding: identity",
    "content-length: N\r\ntransfer_encoding: chunked",
    "content-length: N\r\nx: y\ntransfer-encoding: chunked",
    "content-length: N\r\nx: y\rtransfer-encoding: chunked",
    "content-length: N\r\nx: y\r\r\ntransfer-encoding: chunked",
    "content-length: N\r\n: y\r\ntransfer-encoding: chunked",
    "content-length: N\r\nconnection: content-length",
    "transfer-encoding: chunked\r\nconnection: transfer-encoding",
    "content-length: N\r\ntransfer-encoding: chunked\r\nconnection: transfer-encoding",
    "content-length: N\r\ncontent-length: 0",
    "content-length: 0\r\ncontent-length: N",
    "content-length: 0, N",
    "content-length: N, 0",
    "content-length: +N",
    "content-length: 0N",
    "content-length: N \u{0}",
    "content-length : N",
    "content-length\t: N",
    "content-length:\r\n N",
    " content-length: N",
    "content_length: N",
    "content-length: \u{A0}N",
    "x: y\ncontent-length: N",
    "x: y\rcontent-length: N",
    "content-length: N\r\nexpect: 100-continue",
    "content-length: N\r\nexpect: 200-ok",
    "content-length: N\r\nupgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__",
    "content-length: N\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13",
  ]

  /// Each framing with two bodies: one that ends before the hidden request by its chunks, and one by its length.
  static let all: [[UInt8]] = framings.flatMap { lines -> [[UInt8]] in
    let size = String(hidden.utf8.count, radix: 16) + "\r\n"
    let short = "0\r\n\r\n\(hidden)"
    let long = "\(size)\(hidden)\r\n0\r\n\r\n"
    return [(short, short.utf8.count), (long, size.utf8.count)].map { body, length in
      bytes("POST /p HTTP/1.1\r\nhost: a\r\n\(lines.replacing("N", with: "\(length)"))\r\n\r\n\(body)")
    }
  }

  /// One byte for each code point.
  private static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  /// The same over HTTP/2, from which a proxy makes requests of HTTP/1.1: fields and a body.
  static let http2: [[UInt8]] = {
    let fields: [[(String, String)]] = [
      [],
      [("content-length", "0")],
      [("content-length", "5")],
      [("content-length", "5"), ("content-length", "0")],
      [("transfer-encoding", "chunked")],
      [("content-length", "0"), ("transfer-encoding", "chunked")],
      [("connection", "content-length")],
      [("x", "y\r\ncontent-length: 0")],
      [("x", "y\ntransfer-encoding: chunked")],
      [("x", "y\rtransfer-encoding: chunked")],
      [("x: y\r\ncontent-length: 0\r\nx", "y")],
      [("x: y", "z")],
      [("x", "y\u{0}")],
      [("host", "b\r\ncontent-length: 0")],
      [("expect", "100-continue")],
      [(":path", "/p HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\nGET /hidden")],
      [(":path", "/p\r\ncontent-length: 0")],
      [(":method", "POST /p HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\nGET")],
      [(":authority", "a\r\ncontent-length: 0")],
      [(":scheme", "http://a/p HTTP/1.1\r\nhost: a\r\n\r\nGET")],
    ]
    return fields.map { own in
      let usual = [(":method", "POST"), (":scheme", "http"), (":path", "/p"), (":authority", "a")]
      let all = usual.filter { name, _ in !own.contains { $0.0 == name } } + own
      let first = all.filter { $0.0.hasPrefix(":") } + all.filter { !$0.0.hasPrefix(":") }
      let frames = [
        HTTP2Frame.settings(),
        HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: 1, HTTP2Frame.block(first)),
        HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: 1, Array("0\r\n\r\n\(hidden)".utf8)),
      ]
      return HTTP2Frame.preface + frames.flatMap(\.bytes)
    }
  }()
}
