public import Base

/// Where requests may go. It holds for every connection that a request makes, whatever name or redirect led there: what
/// is checked is the address that is connected to.
public struct OutgoingPolicy: Sendable {
  public enum Reach: Sendable {
    /// For addresses that the operator of this installation has set.
    case anywhere
    /// For addresses that others name: the public internet, and what the operator allows besides.
    case publicAddresses(and: [NetworkRange] = [])

    public func admits(_ address: NetworkAddress) -> Bool {
      switch self {
      case .anywhere: true
      case .publicAddresses(let others): address.isPublic || others.contains { $0.contains(address) }
      }
    }
  }

  public var reach: Reach
  /// Whether requests may also go over HTTP without TLS.
  public var allowsPlainText: Bool
  /// A file with certificates that are trusted instead of the system's.
  public var certificates: String?

  public init(_ reach: Reach, allowsPlainText: Bool = false, certificates: String? = nil) {
    self.reach = reach
    self.allowsPlainText = allowsPlainText
    self.certificates = certificates
  }
}
