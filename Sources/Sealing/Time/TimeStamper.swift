/// Forwards requests to a time-stamping authority, by whatever transport.
public protocol TimeStamper: Sendable {
  /// - Parameter request: RFC 3161's request in DER.
  /// - Returns: the response, unchecked: the caller checks it.
  func answer(to request: [UInt8]) async throws -> [UInt8]
}
