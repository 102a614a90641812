public import Base
internal import CPKI

/// Makes keys with certificates for development and tests. A certificate that others should trust has to come from an
/// authority.
public enum KeyMaker {
  public enum Purpose: Sendable {
    case signing, authority, timeStamping
  }

  /// - Parameters:
  ///   - issuer: nil makes a self-signed certificate.
  ///   - serial: 1 to 19 bytes, unique among the issuer's certificates.
  public static func make(
    name: String, organization: String = "", purpose: Purpose = .signing, isRSA: Bool = false, from: Instant,
    until: Instant, serial: [UInt8], issuer: SealKey? = nil
  ) throws(SealingError) -> SealKey {
    guard let key = unsafe isRSA ? cpki_new_rsa_key() : cpki_new_key() else { throw .key("a key could not be made") }
    let certificate = unsafe cpki_make_certificate(
      key, name, organization, from.millisecondsSince1970 / 1000, until.millisecondsSince1970 / 1000, serial,
      Int32(serial.count), issuer?.certificate.handle, issuer?.handle, purpose == .authority ? 1 : 0,
      purpose == .timeStamping ? 1 : 0)
    guard let certificate = unsafe certificate else {
      unsafe EVP_PKEY_free(key)
      throw .key("a certificate for '\(name)' could not be made")
    }
    let above = issuer.map { [$0.certificate] + $0.chain } ?? []
    return try unsafe SealKey(owning: key, unsafe Certificate(owning: certificate), above, purpose)
  }

  /// An authority's revocation list, with one revoked certificate or none.
  public static func revocations(
    by issuer: SealKey, revoked: Certificate? = nil, at: Instant, until: Instant
  ) -> [UInt8] {
    var room: UnsafeMutablePointer<UInt8>?
    let count = unsafe cpki_make_list(
      issuer.certificate.handle, issuer.handle, revoked?.handle, at.millisecondsSince1970 / 1000,
      until.millisecondsSince1970 / 1000, &room)
    guard count > 0, let start = unsafe room else { return [] }
    defer { unsafe cpki_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
