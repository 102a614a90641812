/// A request to somebody else's server.
public struct OutgoingRequest: Sendable {
  public var method: String
  public var url: String
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// From its start to the last byte of the answer, redirects included.
  public var timeout = Duration.seconds(10)
  /// The most bytes of an answer's body.
  public var mostBytes = 1 << 20
  /// Whether an answer with a longer body is returned without the body instead of an error, for callers that need only
  /// the status.
  public var ignoresBody = false
  /// How many redirects are followed. A request with a body follows none: what it carries is for one server.
  public var mostRedirects = 0

  public init(_ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What the server has answered, whatever the status.
public struct OutgoingAnswer: Sendable {
  public var status: Int
  /// Names are in lower case.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no answer.
public struct OutgoingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The address is no address, or of a scheme that is not allowed.
    case badAddress
    /// It leads to an address that the policy forbids.
    case forbidden
    /// The server cannot be reached, or broke off.
    case unreachable
    /// Its certificate is not trusted.
    case untrusted
    case timedOut
    /// The answer has too many bytes.
    case tooLarge
    case cancelled
  }

  public let kind: Kind
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
