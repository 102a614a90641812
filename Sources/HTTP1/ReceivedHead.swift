/// A request's head, which has passed every check of RFC 9112.
package struct ReceivedHead: Equatable, Sendable {
  package struct Field: Hashable, Sendable {
    /// In lower case.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package internal(set) var method: String
  /// The path and, behind a question mark, the query; `*` for a request about the server itself.
  package internal(set) var target: String
  /// Whether the client speaks HTTP/1.1, and not 1.0.
  package internal(set) var isCurrent: Bool
  /// In the order in which they were sent. The host is that of the request's address if the address has one.
  package internal(set) var fields: [Field] = []
  package internal(set) var body = BodyFraming.none
  /// Whether the client wants to send another request on this connection.
  package internal(set) var keepsConnection: Bool
  /// Whether the client waits to be asked for the body.
  package internal(set) var expectsContinue = false

  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// How a request's body ends.
package enum BodyFraming: Equatable, Sendable {
  case none
  case length(Int)
  case chunked
}
