internal import Base
package import Face
package import RPC
internal import Wire

/// Connect's form of a status.
package struct ConnectError {
  /// Knows the messages that are details.
  private let catalogue: Catalogue
  private let status: Status

  package init(_ status: Status, _ catalogue: Catalogue) {
    (self.status, self.catalogue) = (status, catalogue)
  }

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

  /// `{"code":"not_found","message":"…","details":[{"type":"…","value":"…","debug":{…}}]}`
  package var json: String {
    var text = "{\"code\":\"\(Self.word(status.code))\""
    if !status.message.isEmpty { text += ",\"message\":\(JSONText.quoted(status.message))" }
    if !status.details.isEmpty { text += ",\"details\":[\(status.details.map(detail).joined(separator: ","))]" }
    return text + "}"
  }

  /// A detail in base64 and, for people, as JSON: of types that the contract has, and not for very long ones.
  private func detail(_ detail: Status.Detail) -> String {
    let value = Base64.encode(detail.value, padded: false)
    var text = "{\"type\":\(JSONText.quoted(detail.typeName)),\"value\":\"\(value)\""
    if detail.value.count <= Self.longestShown,
      let shown = try? catalogue.type(detail.typeName)?.json(fromBinary: detail.value.span)
    {
      text += ",\"debug\":\(String(decoding: shown, as: UTF8.self))"
    }
    return text + "}"
  }

  private static let longestShown = 16 << 10

  /// The payload of a stream's last frame: `{"error":{…},"metadata":{"name":["value"]}}`.
  package var endOfStream: String {
    var parts: [String] = []
    if !status.isOK { parts.append("\"error\":\(json)") }
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
  package var response: HTTPResponse {
    var response = HTTPResponse(
      Self.httpStatus(status.code), [("content-type", "application/json")], body: .bytes(Array(json.utf8)))
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
