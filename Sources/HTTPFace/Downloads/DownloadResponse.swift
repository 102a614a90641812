internal import Base
package import Face
package import RPC

/// A file as the response to a request.
///
/// The file may have been uploaded by a stranger. So the browser is told to trust the stated media type, and to let
/// nothing in the file run, load or send.
package enum DownloadResponse {
  package static func file(
    _ bytes: [UInt8], type: String, _ grant: DownloadGrant, to head: RequestHead
  ) -> HTTPResponse {
    let tag = "\"\(Digest(of: bytes).hex.prefix(32))\""
    var response = HTTPResponse(200, headers(type, grant) + [("etag", tag), ("accept-ranges", "bytes")])
    if let known = head["if-none-match"], known.split(separator: ",").contains(where: { matches($0, tag) }) {
      response.status = 304
      response.headers.removeAll { $0.name == "content-type" }
      return response
    }
    // A part is of use to the client only if the parts that it has are of the same file.
    let isSame = head["if-range"].map { $0 == tag } ?? true
    switch ByteRange(isSame ? head["range"] : nil, of: bytes.count) {
    case .whole: response.body = .bytes(bytes)
    case .part(let range):
      response.status = 206
      response.headers.append(("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"))
      response.body = .bytes(Array(bytes[range]))
    case .beyond:
      response = HTTPResponse(416, text: "the file has \(bytes.count) bytes", secrecy)
      response.headers.append(("content-range", "bytes */\(bytes.count)"))
    }
    return response
  }

  /// The response whose bytes follow part by part.
  static func stream(type: String, _ grant: DownloadGrant) -> HTTPResponse {
    HTTPResponse(200, headers(type, grant), body: .stream)
  }

  private static func headers(_ type: String, _ grant: DownloadGrant) -> [(name: String, value: String)] {
    [
      ("content-type", type), ("content-disposition", disposition(grant)),
      ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"),
    ] + secrecy
  }

  /// The response when there is no file.
  package static func refusal(_ status: Status) -> HTTPResponse {
    var response = HTTPResponse(ConnectError.httpStatus(status.code), text: status.message, secrecy)
    response.addRetryAfter(status)
    return response
  }

  /// The address is a secret, so browsers must not send it to pages that the file links to.
  private static var secrecy: [(name: String, value: String)] {
    [("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"), ("cache-control", "no-store")]
  }

  private static func matches(_ known: Substring, _ tag: String) -> Bool {
    let word = known.filter { $0 != " " }
    return word == tag || word == "W/\(tag)" || word == "*"
  }

  /// RFC 6266: a name in ASCII for old clients, followed by the full one.
  private static func disposition(_ grant: DownloadGrant) -> String {
    let kind = grant.isAttachment ? "attachment" : "inline"
    guard !grant.fileName.isEmpty else { return kind }
    let plain = grant.fileName.unicodeScalars.map { scalar in
      scalar.isASCII && scalar != "\"" && scalar != "%" && scalar.value >= 0x20 ? String(scalar) : "_"
    }
    let coded = grant.fileName.utf8.map { byte in
      isUnreserved(byte) ? String(Unicode.Scalar(byte)) : "%\(Hex.encode([byte]).uppercased())"
    }
    return "\(kind); filename=\"\(plain.joined())\"; filename*=UTF-8''\(coded.joined())"
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
