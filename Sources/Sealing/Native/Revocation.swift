internal import Base
internal import CPKI

/// The status of a certificate, stated by somebody entitled to.
struct RevocationStatus: Hashable {
  enum State: Hashable {
    case good
    case revoked(at: Instant)
  }

  let state: State
  /// The time as of which the status is known.
  let from: Instant
  /// When a newer statement is due; nil if that is not stated.
  let until: Instant?

  /// nil if nothing is stated about the certificate.
  fileprivate init?(_ status: cpki_status) {
    switch status.state {
    case 0: state = .good
    case 1: state = .revoked(at: Self.instant(status.revoked))
    default: return nil
    }
    from = Self.instant(status.from)
    until = status.until == 0 ? nil : Self.instant(status.until)
  }

  private static func instant(_ seconds: Int64) -> Instant { Instant(millisecondsSince1970: seconds * 1000) }

  /// Whether it is a statement about `time`: it was made later, or is in force until then.
  func covers(_ time: Instant) -> Bool { max(from, until ?? from) >= time }
}

/// A revocation list of an issuer (CRL), or a response about its certificates (OCSP).
@safe final class Revocation: Sendable {
  /// Never changed after it is made.
  private nonisolated(unsafe) let list: OpaquePointer?
  private nonisolated(unsafe) let answer: OpaquePointer?
  /// In bytes, all of which are hashed for each check of the signature.
  let size: Int

  /// - Parameter der: a list. The result is nil for anything else.
  init?(list der: [UInt8]) {
    guard let list = unsafe cpki_list(der, Int32(der.count)) else { return nil }
    unsafe self.list = unsafe list
    unsafe answer = nil
    size = der.count
  }

  /// - Parameter der: a response. The result is nil for anything else, and for a refusal.
  init?(answer der: [UInt8]) {
    guard let answer = unsafe cpki_answer(der, Int32(der.count)) else { return nil }
    unsafe list = nil
    unsafe self.answer = unsafe answer
    size = der.count
  }

  deinit {
    unsafe X509_CRL_free(list)
    unsafe OCSP_BASICRESP_free(answer)
  }

  /// The status of a certificate; nil if nothing is stated about it, or not by its issuer.
  func status(of certificate: Certificate, issuedBy issuer: Certificate) -> RevocationStatus? {
    if let list = unsafe list {
      guard unsafe cpki_list_is_by(list, issuer.handle) == 1 else { return nil }
      return RevocationStatus(unsafe cpki_list_status(list, certificate.handle))
    }
    guard let answer = unsafe answer, unsafe cpki_answer_is_by(answer, issuer.handle) == 1 else { return nil }
    return RevocationStatus(unsafe cpki_answer_status(answer, certificate.handle, issuer.handle))
  }
}

extension Certificate {
  /// An OCSP request about this certificate.
  func question(answeredBy issuer: Certificate) -> [UInt8] {
    var room: UnsafeMutablePointer<UInt8>?
    let count = unsafe cpki_question(handle, issuer.handle, &room)
    guard count > 0, let start = unsafe room else { return [] }
    defer { unsafe cpki_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// The URLs of OCSP responders that the certificate names.
  var responders: [String] { addresses(isList: 0) }
  /// The URLs of revocation lists that the certificate names.
  var lists: [String] { addresses(isList: 1) }

  private func addresses(isList: Int32) -> [String] {
    var room = [CChar](repeating: 0, count: 8 << 10)
    let count = unsafe cpki_addresses(handle, isList, &room, Int32(room.count))
    let text = String(decoding: room.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}
