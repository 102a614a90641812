internal import Base
internal import Face
package import RPC

/// gRPC-Web's form of a status: gRPC's trailers as lines of text.
package enum WebTrailers {
  package static func lines(_ status: Status) -> [UInt8] {
    Array(headers(status).map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
  }

  /// The trailers as headers, for a call that fails before its first message.
  package static func headers(_ status: Status) -> [(name: String, value: String)] {
    var headers = [("grpc-status", String(status.code.rawValue))]
    if !status.message.isEmpty { headers.append(("grpc-message", StatusTrailers.escaped(status.message))) }
    if !status.details.isEmpty {
      headers.append(("grpc-status-details-bin", Base64.encode(StatusTrailers.encoded(status), padded: false)))
    }
    return headers + HeaderMetadata.answerHeaders(of: status.metadata)
  }
}
