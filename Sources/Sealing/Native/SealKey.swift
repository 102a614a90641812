public import Base
internal import CPKI

/// A private key for seals, with its certificate and those above it.
@safe public final class SealKey: Sendable {
  /// OpenSSL allows any thread to sign with it, since it never changes once it is made.
  nonisolated(unsafe) let handle: OpaquePointer
  public let certificate: Certificate
  /// The certificates of the issuers above it, nearest first; without the root if that was not given.
  public let chain: [Certificate]
  let kind: Kind

  enum Kind {
    case ecdsa, rsa
  }

  /// - Parameters:
  ///   - pem: the key, encrypted or not, in any order with the certificates.
  ///   - certificates: PEM, the key's own one first; empty when they are in `pem`.
  public convenience init(
    pem: [UInt8], certificates: [UInt8] = [], passphrase: String = ""
  ) throws(SealingError) {
    guard let key = unsafe cpki_key(pem, Int32(pem.count), passphrase) else {
      throw .key("the seal's key cannot be read: it is no private key in PEM, or the passphrase is wrong")
    }
    let list = Certificate.list(pem: certificates.isEmpty ? pem : certificates)
    guard let own = list.first(where: { unsafe cpki_belongs($0.handle, key) == 1 }) else {
      unsafe EVP_PKEY_free(key)
      throw .key("no certificate belongs to the seal's key")
    }
    try unsafe self.init(owning: key, own, list.filter { $0 != own })
  }

  public convenience init(pkcs12: [UInt8], passphrase: String) throws(SealingError) {
    var key: OpaquePointer?
    var own: OpaquePointer?
    var others: OpaquePointer?
    let isRead = unsafe cpki_pkcs12(pkcs12, Int32(pkcs12.count), passphrase, &key, &own, &others)
    defer { if let others = unsafe others { unsafe cpki_free_all(others) } }
    guard isRead == 1, let key = unsafe key, let own = unsafe own else {
      unsafe EVP_PKEY_free(key)
      unsafe X509_free(own)
      throw .key("the seal's PKCS#12 file cannot be read: it is no such file, or the passphrase is wrong")
    }
    var list: [Certificate] = []
    for place in 0..<(unsafe cpki_count(others)) {
      guard let other = unsafe cpki_at(others, place) else { continue }
      unsafe X509_up_ref(other)
      list.append(unsafe Certificate(owning: other))
    }
    try unsafe self.init(owning: key, unsafe Certificate(owning: own), list)
  }

  init(
    owning key: OpaquePointer, _ own: Certificate, _ others: [Certificate], _ purpose: KeyMaker.Purpose = .signing
  ) throws(SealingError) {
    unsafe handle = unsafe key
    certificate = own
    chain = Self.ordered(others, above: own)
    let number = unsafe cpki_kind(key)
    kind = number == 1 ? .ecdsa : .rsa
    let bits = Int(unsafe cpki_bits(key))
    // From here on the key is freed together with this object.
    guard number > 0 else {
      throw .key("the seal's key is neither an elliptic-curve key nor a plain RSA key; one for RSASSA-PSS is not taken")
    }
    guard number == 1 ? bits >= 256 : bits >= 2048 else {
      throw .key("the seal's key has \(bits) bits, which is too weak: take P-256, or RSA with 2048 bits or more")
    }
    guard own.maySign || purpose == .authority else {
      throw .key("the certificate '\(own.subject)' is not for signatures: its key usage lacks digitalSignature")
    }
  }

  deinit {
    unsafe EVP_PKEY_free(handle)
  }

  private static func ordered(_ others: [Certificate], above own: Certificate) -> [Certificate] {
    var chain: [Certificate] = []
    var last = own
    while !last.isSelfSigned, chain.count < 10, let next = others.first(where: { $0 != last && $0.issued(last) }) {
      chain.append(next)
      last = next
    }
    return chain
  }

  /// Throws when `now` is outside the certificate's validity.
  public func check(at now: Instant) throws(SealingError) {
    if now < certificate.validFrom {
      throw .key(
        "the certificate '\(certificate.subject)' is not valid before \(TimeText.printed(certificate.validFrom))")
    }
    if now > certificate.validUntil {
      throw .key("the certificate '\(certificate.subject)' expired at \(TimeText.printed(certificate.validUntil))")
    }
  }

  func sign(_ bytes: [UInt8]) throws(SealingError) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: 2048)
    let count = unsafe cpki_sign(handle, bytes, bytes.count, &room, room.count)
    guard count > 0 else { throw .key("the seal's key could not sign") }
    return Array(room.prefix(Int(count)))
  }

  public var pem: [UInt8] {
    var room = [CChar](repeating: 0, count: 16 << 10)
    let count = unsafe cpki_write_key(handle, &room, Int32(room.count))
    return room.prefix(Int(max(count, 0))).map { UInt8(bitPattern: $0) }
  }

  public func pkcs12(passphrase: String) -> [UInt8] {
    var room: UnsafeMutablePointer<UInt8>?
    let count = unsafe cpki_write_pkcs12(handle, certificate.handle, passphrase, &room)
    guard count > 0, let start = unsafe room else { return [] }
    defer { unsafe cpki_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
