/// Algorithms that are named and not known here, or that prove nothing any longer.
enum UnknownAlgorithm {
  private static let weak: [OID: String] = [
    OID(1, 3, 14, 3, 2, 26): "SHA-1", OID(1, 2, 840, 113_549, 2, 5): "MD5",
    OID(2, 16, 840, 1, 101, 3, 4, 2, 4): "SHA-224", OID(1, 2, 840, 113_549, 1, 1, 4): "RSA with MD5",
    OID(1, 2, 840, 113_549, 1, 1, 5): "RSA with SHA-1", OID(1, 2, 840, 113_549, 1, 1, 14): "RSA with SHA-224",
    OID(1, 2, 840, 10_045, 4, 1): "ECDSA with SHA-1", OID(1, 2, 840, 10_040, 4, 3): "DSA with SHA-1",
  ]
  private static let others: [OID: String] = [
    OID(1, 3, 101, 112): "Ed25519", OID(1, 3, 101, 113): "Ed448", OID(2, 16, 840, 1, 101, 3, 4, 2, 6): "SHA-512/256",
    OID(2, 16, 840, 1, 101, 3, 4, 2, 8): "SHA3-256", OID(2, 16, 840, 1, 101, 3, 4, 2, 9): "SHA3-384",
    OID(2, 16, 840, 1, 101, 3, 4, 2, 10): "SHA3-512", OID(2, 16, 840, 1, 101, 3, 4, 2, 12): "SHAKE256",
    OID(2, 16, 840, 1, 101, 3, 4, 2, 18): "SHAKE256, as Ed448 uses it",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 10): "ECDSA with SHA3-256",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 11): "ECDSA with SHA3-384",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 12): "ECDSA with SHA3-512",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 14): "RSA with SHA3-256",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 15): "RSA with SHA3-384",
    OID(2, 16, 840, 1, 101, 3, 4, 3, 16): "RSA with SHA3-512", OID(1, 2, 840, 10_040, 4, 1): "DSA",
  ]

  /// - Parameter what: what the algorithm is for, such as "its hash function".
  static func fault(_ what: String, _ name: OID) -> DERFault {
    if let weak = weak[name] { return DERFault(finding: "\(what) is too weak: \(weak)", .weak) }
    return DERFault(finding: "\(what) is not known here: \(others[name] ?? name.dotted)", .generic)
  }
}
