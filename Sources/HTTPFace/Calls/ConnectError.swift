internal import Base
internal import Face
package import RPC

/// Connect's form of a status.
package enum ConnectError {
  /// Connect's word for a code.
  package static func word(_ code: StatusCode) -> String {
    // gRPC spells it with two l, Connect with one.
    code == .cancelled ? "canceled" : code.name.lowercased()
  }

  /// HTTP's status for a code.
  package static func httpStatus(_ code: StatusCode) -> Int {
    switch code {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    case .unknown, .internal, .dataLoss: 500
    }
  }

  /// `{"code":"not_found","message":"…","details":[{"type":"…","value":"…"}]}`
  package static func json(_ status: Status) -> String {
    var text = "{\"code\":\"\(word(status.code))\""
    if !status.message.isEmpty { text += ",\"message\":\(JSONText.quoted(status.message))" }
    if !status.details.isEmpty {
      let details = status.details.map { detail in
        "{\"type\":\(JSONText.quoted(detail.typeName)),\"value\":\"\(Base64.encode(detail.value, padded: false))\"}"
      }
      text += ",\"details\":[\(details.joined(separator: ","))]"
    }
    return text + "}"
  }

  /// The payload of a stream's last frame: `{"error":{…},"metadata":{"name":["value"]}}`.
  package static func endOfStream(_ status: Status) -> String {
    var parts: [String] = []
    if !status.isOK { parts.append("\"error\":\(json(status))") }
    let headers = HeaderMetadata.answerHeaders(of: status.metadata)
    if !headers.isEmpty {
      var names: [String] = []
      for header in headers where !names.contains(header.name) { names.append(header.name) }
      let entries = names.map { name in
        let values = headers.filter { $0.name == name }.map { JSONText.quoted($0.value) }
        return "\(JSONText.quoted(name)):[\(values.joined(separator: ","))]"
      }
      parts.append("\"metadata\":{\(entries.joined(separator: ","))}")
    }
    return "{\(parts.joined(separator: ","))}"
  }

  /// The whole response of a unary call that has failed.
  package static func response(_ status: Status) -> HTTPResponse {
    var response = HTTPResponse(
      httpStatus(status.code), [("content-type", "application/json")], body: .bytes(Array(json(status).utf8)))
    response.headers += HeaderMetadata.answerHeaders(of: status.metadata, prefix: "trailer-")
    response.addRetryAfter(status)
    return response
  }
}

extension HTTPResponse {
  /// Repeats in HTTP's own header after how long the caller should retry.
  mutating func addRetryAfter(_ status: Status) {
    guard let text = status.metadata["retry-after-ms"], let milliseconds = Int(text) else { return }
    headers.append(("retry-after", String(max(1, milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)))))
  }
}
