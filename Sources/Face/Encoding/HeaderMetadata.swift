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
      for part in value.split(separator: ",") {
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
    return metadata.entries.map { entry in
      let isBinary = entry.key.hasSuffix("-bin")
      let value = isBinary ? Base64.encode(entry.value, padded: false) : entry.text
      return (prefix + entry.key, value)
    }
  }

  /// Whether a header belongs to HTTP, Connect, gRPC or a browser, and is not metadata.
  package static func isOfProtocol(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  private static let prefixes = ["connect-", "grpc-", "sec-", "access-control-", "proxy-", "x-forwarded-", ":"]

  private static let names: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control", "connection",
    "content-encoding", "content-length", "content-type", "cookie", "date", "dnt", "expect", "forwarded", "from",
    "host", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range", "keep-alive",
    "max-forwards", "origin", "pragma", "priority", "range", "referer", "te", "trailer", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-grpc-web", "x-real-ip", "x-requested-with", "x-user-agent",
  ]
}
