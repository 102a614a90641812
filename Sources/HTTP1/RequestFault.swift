/// Why a request is refused by its bytes alone. Nothing is read after it, since nobody could say where the next request
/// begins.
package struct RequestFault: Error, Equatable, Sendable {
  /// HTTP's status.
  package let status: Int
  /// A sentence for whoever wrote the client.
  package let reason: String

  package init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> RequestFault { RequestFault(400, reason) }
}
