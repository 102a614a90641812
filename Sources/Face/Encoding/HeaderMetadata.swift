internal import Base
package import RPC

/// Converts between headers and metadata.
package enum HeaderMetadata {
  /// Adds a header of a call to its metadata, unless the header belongs to the protocol itself.
  ///
  /// Headers that are not valid as metadata are skipped rather than refused, because proxies and browsers add headers
  /// of their own.
  package static func add(_ name: String, _ value: String, to metadata: inout Metadata) throws(Status) {
    if isOfProtocol(name) { return }
    if name.hasSuffix("-bin") {
      // One header may have several values of the name.
      for part in value.split(separator: ",", omittingEmptySubsequences: !value.isEmpty) {
        let text = Array(part.utf8.drop { $0 == UInt8(ascii: " ") })
        guard let bytes = Base64.decodeLeniently(text.span) else {
          throw Status(
            .invalidArgument, rule: "bad_metadata", "header '\(name.shortened)' ends in -bin and is not base64")
        }
        try? metadata.add(name, bytes: bytes)
      }
    } else {
      try? metadata.add(name, value)
    }
  }

  /// The entries as headers; bytes as base64 without padding.
  package static func headers(of metadata: Metadata, prefix: String = "") -> [(name: String, value: String)] {
    if metadata.isEmpty { return [] }
    return metadata.entries.map { (prefix + $0.key, value(of: $0)) }
  }

  /// The entries that a handler may add to an answer, as headers or trailers.
  ///
  /// A door's answers come from the origin of its pages. So no handler sets a header that browsers, caches or protocols
  /// obey, nor one that would end its line. A worker that has been taken over sends malformed entries, too.
  package static func answerHeaders(of metadata: Metadata, prefix: String = "") -> [(name: String, value: String)] {
    if metadata.isEmpty { return [] }
    return metadata.entries.compactMap { entry in
      let value = Self.value(of: entry)
      let isAllowed = Metadata.isWellFormed(entry.key) && !isOfProtocol(entry.key) && !isObeyed(entry.key)
      guard isAllowed, value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
      return (name: prefix + entry.key, value: value)
    }
  }

  private static func value(of entry: Metadata.Entry) -> String {
    entry.key.hasSuffix("-bin") ? Base64.encode(entry.value, padded: false) : entry.text
  }

  /// Whether a header belongs to HTTP, Connect, gRPC or a browser, and is not metadata.
  package static func isOfProtocol(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// Whether browsers, caches or clients obey a header in an answer.
  private static func isObeyed(_ name: String) -> Bool {
    obeyedNames.contains(name) || obeyedPrefixes.contains { name.hasPrefix($0) }
  }

  private static let prefixes = ["connect-", "grpc-", "sec-", "access-control-", "proxy-", "x-forwarded-", ":"]

  private static let names: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control", "connection",
    "content-encoding", "content-length", "content-type", "cookie", "date", "dnt", "expect", "forwarded", "from",
    "host", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range", "keep-alive",
    "max-forwards", "origin", "pragma", "priority", "range", "referer", "te", "trailer", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-grpc-web", "x-real-ip", "x-requested-with", "x-user-agent",
  ]

  private static let obeyedPrefixes = ["content-", "cross-origin-"]

  private static let obeyedNames: Set<String> = [
    "age", "alt-svc", "clear-site-data", "etag", "expires", "last-modified", "link", "location", "nel",
    "permissions-policy", "referrer-policy", "refresh", "report-to", "reporting-endpoints", "retry-after", "server",
    "service-worker-allowed", "set-cookie", "sourcemap", "strict-transport-security", "vary", "www-authenticate",
    "x-content-type-options", "x-frame-options",
  ]
}
