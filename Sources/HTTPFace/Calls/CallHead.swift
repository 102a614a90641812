internal import Base
internal import Face
package import RPC

/// What the headers of a request, or a GET's query, say about the call.
package struct CallHead: Sendable {
  package var style: CallStyle
  package var timeout: Duration?
  package var isCompressed = false
  package var acceptsGzip = false
  /// From how many bytes on answers are compressed for those who accept it. Over gRPC all do; those that compress
  /// nothing themselves are mostly nearby, so only what is long is compressed for them.
  var leastCompressed: Int { style.dialect == .grpc && !isCompressed ? 64 << 10 : Gzip.worthwhileSize }
  /// How many attempts the caller says that it has made of this call before.
  package var earlierAttempts = 0
  package var metadata = Metadata()
  package var idempotencyKey = ""
  /// The length that the request states for its body; nil when it states none.
  package var length: Int?
  /// Whether answers may begin before the request ends.
  var isDuplex = false

  /// Reads the headers of a POST; throws a fault that it finds in them.
  package init(_ head: RequestHead, style: CallStyle) throws(Status) {
    self.style = style
    switch style.dialect {
    case .connectUnary, .connectStream: try readConnect(head)
    case .grpc, .grpcWeb: try readGRPC(head)
    }
    isDuplex = head.isDuplex
    idempotencyKey = head["idempotency-key"] ?? ""
    earlierAttempts = head["grpc-previous-rpc-attempts"].flatMap { UInt8($0) }.map(Int.init) ?? 0
    length = head["content-length"].flatMap { Int($0) }
    for header in head.headers { try HeaderMetadata.add(header.name, header.value, to: &metadata) }
    TraceContext.clean(&metadata)
  }

  /// - Parameter fields: the query of a GET.
  package init(_ head: RequestHead, get fields: [String: String]) throws(Status) {
    let codec = fields["encoding"] ?? ""
    guard let style = CallStyle(contentType: "application/\(codec)"), style.dialect == .connectUnary else {
      throw Status(
        .invalidArgument, rule: "bad_encoding", "encoding must be json or proto, and is '\(codec.shortened)'")
    }
    self.style = style
    if let version = fields["connect"], version != "v1" {
      throw Status(.invalidArgument, rule: "bad_version", "connect must be v1, and is '\(version.shortened)'")
    }
    isCompressed = try Self.isGzip(fields["compression"], named: "compression")
    acceptsGzip = head.lists("gzip", in: "accept-encoding")
    timeout = try head["connect-timeout-ms"].map { text throws(Status) in try CallTimeout.connect(text) }
    for header in head.headers { try HeaderMetadata.add(header.name, header.value, to: &metadata) }
    TraceContext.clean(&metadata)
  }

  private mutating func readConnect(_ head: RequestHead) throws(Status) {
    if let version = head["connect-protocol-version"], version != "1" {
      throw Status(
        .invalidArgument, rule: "bad_version", "connect-protocol-version must be 1, and is '\(version.shortened)'")
    }
    if let text = head["connect-timeout-ms"] { timeout = try CallTimeout.connect(text) }
    let prefix = style.dialect == .connectStream ? "connect-" : ""
    isCompressed = try Self.isGzip(head["\(prefix)content-encoding"], named: "\(prefix)content-encoding")
    acceptsGzip = head.lists("gzip", in: "\(prefix)accept-encoding")
  }

  private mutating func readGRPC(_ head: RequestHead) throws(Status) {
    if let text = head["grpc-timeout"] { timeout = try CallTimeout.grpc(text) }
    isCompressed = try Self.isGzip(head["grpc-encoding"], named: "grpc-encoding")
    acceptsGzip = head.lists("gzip", in: "grpc-accept-encoding")
  }

  private static func isGzip(_ coding: String?, named name: String) throws(Status) -> Bool {
    switch coding {
    case nil, "", "identity": return false
    case "gzip": return true
    case let other?:
      throw Status(
        .unimplemented, rule: "unknown_encoding", "\(name) '\(other.shortened)' is not supported; use gzip or identity")
    }
  }
}
