/// What the contract says about one service. Generated from proto/.
public struct ServiceDescriptor: Hashable, Sendable {
  /// The full name, such as `assent.signature.v1.SignatureService`.
  public let name: String
  public let methods: [MethodDescriptor]
  /// SHA-256, in hex, of the service's methods and of all messages that they can carry: two processes with the same
  /// fingerprint have the same contract.
  public let fingerprint: String

  public init(name: String, methods: [MethodDescriptor], fingerprint: String) {
    self.name = name
    self.methods = methods
    self.fingerprint = fingerprint
  }
}
