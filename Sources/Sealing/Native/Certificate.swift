public import Base
internal import CPKI

/// An X.509 certificate.
@safe public final class Certificate: Sendable {
  /// OpenSSL allows any thread to read it, since it never changes once it is made.
  nonisolated(unsafe) let handle: OpaquePointer
  public let der: [UInt8]
  public let subject: String
  public let issuer: String
  public let validFrom: Instant
  public let validUntil: Instant
  let issuerDER: [UInt8]
  let subjectDER: [UInt8]
  /// With its tag.
  let serialDER: [UInt8]
  let isTimeStamper: Bool
  public let isAuthority: Bool
  /// Whether its key usage has digitalSignature or nonRepudiation, or is not restricted.
  public let maySign: Bool

  /// The most bytes of a certificate. Usual ones have a few kilobytes; OpenSSL takes fifty times as many bytes of
  /// memory.
  static let mostBytes = 64 << 10

  /// - Parameter der: the certificate. The result is nil if it is none, or a too large one.
  public convenience init?(der: [UInt8]) {
    guard der.count <= Self.mostBytes else { return nil }
    guard let handle = unsafe cpki_certificate(der, Int32(der.count)) else { return nil }
    unsafe self.init(owning: handle)
  }

  /// Takes ownership of a reference.
  init(owning handle: OpaquePointer) {
    unsafe self.handle = unsafe handle
    der = unsafe Self.bytes { unsafe cpki_der(handle, $0) }
    issuerDER = unsafe Self.bytes { unsafe cpki_issuer(handle, $0) }
    subjectDER = unsafe Self.bytes { unsafe cpki_subject(handle, $0) }
    serialDER = unsafe Self.bytes { unsafe cpki_serial(handle, $0) }
    subject = unsafe Self.name(handle, isIssuer: 0)
    issuer = unsafe Self.name(handle, isIssuer: 1)
    validFrom = Instant(millisecondsSince1970: unsafe cpki_not_before(handle) * 1000)
    validUntil = Instant(millisecondsSince1970: unsafe cpki_not_after(handle) * 1000)
    isTimeStamper = unsafe cpki_is_time_stamper(handle) != 0
    isAuthority = unsafe cpki_is_authority(handle) != 0
    let usage = unsafe cpki_key_usage(handle)
    maySign = usage & UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) != 0
  }

  deinit {
    unsafe X509_free(handle)
  }

  /// The certificates among the first hundred blocks of a PEM file that are named so, in order. Blocks that are no
  /// certificate, or too large, are skipped.
  public static func list(pem: [UInt8]) -> [Certificate] {
    PEM.blocks(named: ["CERTIFICATE", "X509 CERTIFICATE"], in: pem, most: 100).compactMap(Certificate.init(der:))
  }

  public var pem: [UInt8] {
    var room = [CChar](repeating: 0, count: 64 << 10)
    let count = unsafe cpki_write_certificate(handle, &room, Int32(room.count))
    return room.prefix(Int(max(count, 0))).map { UInt8(bitPattern: $0) }
  }

  /// Computed only when it is asked for, since it verifies the certificate's signature.
  public var isSelfSigned: Bool { unsafe cpki_is_self_signed(handle) != 0 }

  /// nil without the extension.
  var keyIdentifier: [UInt8]? {
    let bytes = unsafe Self.bytes { unsafe cpki_key_identifier(handle, $0) }
    return bytes.isEmpty ? nil : bytes
  }

  public var fingerprint: Digest { Digest(of: der) }

  /// Whether the other certificate names this one as its issuer's, by name, number and key. Its signature is not
  /// verified.
  func isNamed(asIssuerOf other: Certificate) -> Bool { unsafe cpki_is_named(handle, other.handle) == 1 }

  /// Whether the other certificate names this one as its issuer's, and this one's key made its signature.
  func issued(_ other: Certificate) -> Bool { unsafe cpki_issued(handle, other.handle) == 1 }

  /// - Parameter salt: the length of RSA-PSS's salt; nil for the usual padding.
  func verifies(_ signature: [UInt8], of bytes: [UInt8], _ hash: HashAlgorithm, salt: Int?) -> Bool {
    unsafe cpki_verify(
      handle, Int32(hash.rawValue), Int32(salt ?? -1), bytes, bytes.count, signature, signature.count) == 1
  }

  private static func bytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32) -> [UInt8] {
    var room: UnsafeMutablePointer<UInt8>?
    let count = unsafe write(&room)
    guard count > 0, let start = unsafe room else { return [] }
    defer { unsafe cpki_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private static func name(_ handle: OpaquePointer, isIssuer: Int32) -> String {
    var room = [CChar](repeating: 0, count: 1024)
    let count = unsafe cpki_name(handle, isIssuer, &room, Int32(room.count))
    return String(decoding: room.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Certificate: Hashable {
  public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// The hash functions that signatures may use. Weaker ones prove nothing.
public enum HashAlgorithm: Int, Sendable {
  case sha256 = 256
  case sha384 = 384
  case sha512 = 512

  public func hash(_ bytes: [UInt8]) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: 64)
    let count = unsafe cpki_hash(Int32(rawValue), bytes, bytes.count, &room)
    return Array(room.prefix(Int(count)))
  }
}
