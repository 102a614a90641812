import Testing

/// Bytes as a client sends them, and how RFC 9112 and RFC 9110 have them read.
struct RawRequest: Sendable, CustomTestStringConvertible {
  /// The section that says so; of RFC 9112 where nothing else stands before it.
  let section: String
  let what: String
  let bytes: [UInt8]
  let expected: Reading

  enum Reading: Equatable {
    /// These requests, and nothing else: each as method, target and body.
    case requests([String])
    /// These requests, and then a refusal with this status of HTTP.
    case refused(Int, after: [String])
    /// These requests, and then the beginning of another.
    case unfinished(after: [String])
  }

  var testDescription: String { "\(section): \(what)" }

  /// - Parameter text: one byte for each of its code points.
  private init(_ section: String, _ what: String, _ text: String, _ expected: Reading) {
    self.section = section
    self.what = what
    bytes = text.unicodeScalars.map { UInt8($0.value) }
    self.expected = expected
  }

  static func good(_ section: String, _ what: String, _ text: String, _ requests: String...) -> RawRequest {
    RawRequest(section, what, text, .requests(requests))
  }

  static func bad(
    _ section: String, _ what: String, _ text: String, _ status: Int = 400, after requests: String...
  ) -> RawRequest {
    RawRequest(section, what, text, .refused(status, after: requests))
  }

  static func open(_ section: String, _ what: String, _ text: String, after requests: String...) -> RawRequest {
    RawRequest(section, what, text, .unfinished(after: requests))
  }

  /// A request by GET with further lines.
  static func get(_ lines: String..., target: String = "/", version: String = "1.1") -> String {
    (["GET \(target) HTTP/\(version)", "host: a"] + lines).map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// A request by POST with further lines and a body.
  static func post(_ lines: String..., body: String) -> String {
    (["POST /p HTTP/1.1", "host: a"] + lines).map { $0 + "\r\n" }.joined() + "\r\n" + body
  }

  static func chunked(_ body: String) -> String { post("transfer-encoding: chunked", body: body) }
}
