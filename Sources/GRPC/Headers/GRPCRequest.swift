internal import Base
internal import Face
package import HTTP2
package import RPC

/// What the header of a request says about the call.
package struct GRPCRequest: Sendable {
  /// `/package.Service/Method`.
  package private(set) var path = ""
  /// nil when the caller does not say how long it waits.
  package private(set) var timeout: Duration?
  /// The coding of messages that are marked as compressed; nil when none may be.
  package private(set) var encoding: Encoding?
  package private(set) var acceptsGzip = false
  package private(set) var authorization: String?
  package private(set) var idempotencyKey = ""
  package private(set) var metadata = Metadata()
  /// A fault in the header, as the caller is told it; nil when there is none.
  package private(set) var violation: Status?

  package enum Encoding: String, Sendable {
    case identity, gzip
  }

  /// A request that is answered with a status of HTTP, because it is not one of gRPC.
  package struct NotGRPC: Error, Equatable {
    package let httpStatus: Int

    package init(httpStatus: Int) {
      self.httpStatus = httpStatus
    }
  }

  package init(_ header: HeaderList) throws(NotGRPC) {
    var method = ""
    var contentType = ""
    header.forEach { name, value in
      guard StreamSafeText.holds(value) else {
        violation = Status(.invalidArgument, rule: "bad_header", "a header's \(StreamSafeText.requirement)")
        return
      }
      switch Self.meaning(of: name) {
      case .method: method = value.text
      case .path: path = value.text
      case .contentType: contentType = value.text
      case .ignored: break
      case let field: read(field, name, value)
      }
    }
    TraceContext.clean(&metadata)
    guard method == "POST" else { throw NotGRPC(httpStatus: 405) }
    guard Self.isGRPC(contentType) else { throw NotGRPC(httpStatus: 415) }
    if header.isCutShort {
      violation = Status(.invalidArgument, rule: "header_too_large", "the request's header is too large")
    }
  }

  private mutating func read(_ field: Field, _ name: Span<UInt8>, _ value: Span<UInt8>) {
    let text = value.text
    do throws(Status) {
      switch field {
      case .timeout: timeout = try CallTimeout.grpc(text)
      case .encoding:
        guard let known = Encoding(rawValue: text) else {
          throw Status(
            .unimplemented,
            rule: "unknown_encoding", "grpc-encoding '\(text.shortened)' is not supported; use gzip or identity")
        }
        encoding = known
      case .acceptEncoding: acceptsGzip = text.split(separator: ",").contains { $0.drop { $0 == " " } == "gzip" }
      case .authorization: authorization = text
      case .idempotencyKey: idempotencyKey = text
      default: try HeaderMetadata.add(name.text, text, to: &metadata)
      }
    } catch {
      violation = violation ?? error
    }
  }

  private static func isGRPC(_ contentType: String) -> Bool {
    let type = contentType.split { $0 == ";" || $0 == " " }.first?.lowercased()
    return type == "application/grpc" || type == "application/grpc+proto"
  }

  /// The fields of a header that are treated differently.
  private enum Field {
    case method, path, contentType, timeout, encoding, acceptEncoding, authorization, idempotencyKey
    /// A field of HTTP's own, which nearly every request has.
    case ignored
    case metadata
  }

  private static func meaning(of name: Span<UInt8>) -> Field {
    for known in fields where name.equals(known.name) { return known.field }
    return .metadata
  }

  private static let fields: [(name: String, field: Field)] = [
    (":method", .method), (":path", .path), (":scheme", .ignored), (":authority", .ignored),
    ("content-type", .contentType), ("te", .ignored), ("user-agent", .ignored),
    ("grpc-accept-encoding", .acceptEncoding), ("grpc-timeout", .timeout), ("grpc-encoding", .encoding),
    ("authorization", .authorization), ("idempotency-key", .idempotencyKey),
  ]
}
