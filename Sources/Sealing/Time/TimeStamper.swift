/// Asks a time-stamping authority, over whatever leads to it.
public protocol TimeStamper: Sendable {
  /// - Parameter request: RFC 3161's request in DER.
  /// - Returns: the response as it came. It is checked by who asked.
  func answer(to request: [UInt8]) async throws -> [UInt8]
}
