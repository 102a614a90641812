internal import Base
internal import Bus
internal import Face
package import RPC

/// gRPC's form of a status: as trailers, and for gRPC-Web as lines of text.
package enum GRPCStatus {
  /// HTTP/2 might not send a longer trailer at all.
  private static let limit = 40 << 10
  private static let shortMessage = 1 << 10

  package static func lines(_ status: Status) -> [UInt8] {
    Array(headers(status).map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
  }

  package static func headers(_ status: Status) -> [(name: String, value: String)] {
    let code = [(name: "grpc-status", value: String(status.code.rawValue))]
    if status.isOK, status.metadata.isEmpty { return code }
    var headers = code
    if !status.message.isEmpty { headers.append(("grpc-message", StatusTrailers.escaped(status.message))) }
    if !status.details.isEmpty {
      headers.append(("grpc-status-details-bin", Base64.encode(StatusTrailers.encoded(status), padded: false)))
    }
    headers += HeaderMetadata.answerHeaders(of: status.metadata)
    if status.metadata.attemptsLeft == 0 {
      // The form in which gRPC's clients are told to leave it at that.
      headers.append(("grpc-retry-pushback-ms", "-1"))
    } else if let wait = status.metadata["retry-after-ms"].flatMap({ Int($0) }) {
      headers.append(("grpc-retry-pushback-ms", String(wait)))
    }
    guard headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }) > limit else { return headers }
    return code + [("grpc-message", StatusTrailers.escaped(status.message.shortened(to: shortMessage)))]
  }

  /// A response over gRPC without a message: headers and trailers in one.
  package static func wholeResponse(_ status: Status) -> HTTPResponse {
    var response = HTTPResponse(200, [("content-type", "application/grpc")])
    if status.code == .unimplemented { response.headers.append(("grpc-accept-encoding", "identity,gzip")) }
    response.headers += headers(status)
    return response
  }
}
