internal import Base

/// Lets clients keep a response and ask whether it is still current (ETag).
enum Validator {
  /// Tags a response by its content, and replaces it by 304 for a client that has it already. Unless the response says
  /// otherwise, caches must ask every time, so that no caller gets an outdated one.
  ///
  /// - Parameter known: the tag of the content, if it was computed before.
  static func apply(to response: inout HTTPResponse, _ head: RequestHead, tag known: String? = nil) {
    guard response.status == 200, case .bytes(let bytes) = response.body else { return }
    let tag = known ?? tag(of: bytes, coding: response["content-encoding"] ?? "")
    response.headers.append(("etag", tag))
    response.setDefault("cache-control", "no-cache")
    let held = head.headers.filter { $0.name == "if-none-match" }.flatMap { $0.value.split(separator: ",") }
    guard held.contains(where: { Self.names(tag, $0) }) else { return }
    response.status = 304
    response.body = .bytes([])
    response.headers.removeAll { $0.name == "content-type" || $0.name == "content-encoding" }
  }

  /// Whether an item of If-None-Match is this tag, weak or not, or any.
  private static func names(_ tag: String, _ item: Substring) -> Bool {
    let text = item.drop { $0 == " " }
    return text == tag || text == "W/\(tag)" || text == "*"
  }

  static func tag(of bytes: [UInt8], coding: String = "") -> String {
    "\"\(Digest(of: bytes + Array(coding.utf8)).hex.prefix(32))\""
  }
}
