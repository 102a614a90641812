package import RPC

/// The protocol and the encoding of a call, as its content type names them.
package struct CallStyle: Hashable, Sendable {
  package enum Dialect: Hashable, Sendable {
    /// One message as the whole body, in each direction.
    case connectUnary
    /// Connect's frames.
    case connectStream
    /// gRPC's frames, with the status in HTTP/2's trailers.
    case grpc
    /// gRPC-Web's frames; `isText`: in base64.
    case grpcWeb(isText: Bool)
  }

  package enum Codec: Hashable, Sendable {
    case proto, json
  }

  package var dialect: Dialect
  package var codec: Codec
  /// The content type of the answer.
  package var contentType: String

  private static let types: [(type: String, dialect: Dialect, codec: Codec)] = [
    ("application/proto", .connectUnary, .proto),
    ("application/json", .connectUnary, .json),
    ("application/connect+proto", .connectStream, .proto),
    ("application/connect+json", .connectStream, .json),
    ("application/grpc", .grpc, .proto),
    ("application/grpc+proto", .grpc, .proto),
    ("application/grpc-web", .grpcWeb(isText: false), .proto),
    ("application/grpc-web+proto", .grpcWeb(isText: false), .proto),
    ("application/grpc-web+json", .grpcWeb(isText: false), .json),
    ("application/grpc-web-text", .grpcWeb(isText: true), .proto),
    ("application/grpc-web-text+proto", .grpcWeb(isText: true), .proto),
  ]

  /// All content types of calls, for `Accept-Post`.
  package static var acceptPost: String { types.map(\.type).joined(separator: ", ") }

  package init(_ dialect: Dialect, _ codec: Codec, contentType: String) {
    self.dialect = dialect
    self.codec = codec
    self.contentType = contentType
  }

  /// nil when the content type is not one of a call. The only parameter that is understood is `charset`, which must be
  /// UTF-8; gRPC's clients may add what they like.
  package init?(contentType: String) {
    if let row = Self.types.first(where: { $0.type == contentType }) {
      self.init(row.dialect, row.codec, contentType: row.type)
      return
    }
    let parts = contentType.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
    guard let row = Self.types.first(where: { $0.type == parts.first }),
      row.dialect == .grpc
        || parts.dropFirst().allSatisfy({ $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" })
    else { return nil }
    self.init(row.dialect, row.codec, contentType: row.type)
  }

  /// Whether messages are sent in frames.
  package var isFramed: Bool { dialect != .connectUnary }

  /// Whether calls of this kind can be made in this style.
  ///
  /// - Parameter isDuplex: whether answers may begin before the request ends, as over HTTP/2. Connect's clients can do
  ///   without: `fetch` sends a whole body before it reads.
  package func carries(_ kind: MethodDescriptor.Kind, isDuplex: Bool) -> Bool {
    switch dialect {
    case .connectUnary: kind == .unary
    case .connectStream: kind != .unary
    case .grpc: isDuplex
    case .grpcWeb: kind != .bidirectionalStreaming
    }
  }
}
