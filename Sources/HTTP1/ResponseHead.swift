/// Writes the head of a response.
package enum ResponseHead {
  /// How a response's body ends.
  package enum Ending: Equatable, Sendable {
    /// A response that never has a body, such as 204 and 304.
    case bodiless
    case length(Int)
    case chunked
    /// With the connection, for clients of HTTP/1.0.
    case connection
  }

  package static func append(
    _ status: Int, _ fields: [(name: String, value: String)], _ ending: Ending, closes: Bool, date: String,
    to bytes: inout [UInt8]
  ) {
    bytes.reserveCapacity(bytes.count + 256)
    bytes += "HTTP/1.1 ".utf8
    bytes += status == 200 ? "200 OK".utf8 : "\(status) \(phrases[status] ?? "")".utf8
    bytes += "\r\ndate: ".utf8
    bytes += date.utf8
    bytes += "\r\n".utf8
    for (name, value) in fields where !isOwn(name) {
      bytes += name.utf8
      bytes += ": ".utf8
      // A value that had a line's end would end the head.
      let start = bytes.count
      bytes += value.utf8
      for place in start..<bytes.count where isForbidden(bytes[place]) { bytes[place] = 0x20 }
      bytes += "\r\n".utf8
    }
    switch ending {
    case .bodiless, .connection: break
    case .length(let count):
      bytes += "content-length: ".utf8
      bytes += String(count).utf8
      bytes += "\r\n".utf8
    case .chunked: bytes += "transfer-encoding: chunked\r\n".utf8
    }
    bytes += closes ? "connection: close\r\n\r\n".utf8 : "\r\n".utf8
  }

  private static func isForbidden(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }

  /// Fields that belong to the connection, which the writer decides about.
  private static func isOwn(_ name: String) -> Bool {
    name == "connection" || name == "content-length" || name == "transfer-encoding" || name == "date"
  }

  package static func appendChunk(_ content: [UInt8], to bytes: inout [UInt8]) {
    guard !content.isEmpty else { return }
    bytes += String(content.count, radix: 16).utf8
    bytes += "\r\n".utf8
    bytes += content
    bytes += "\r\n".utf8
  }

  package static let lastChunk = Array("0\r\n\r\n".utf8)
  package static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static let phrases = [
    200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 499: "Client Closed Request", 500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
