internal import Base
internal import CPKI

/// The status of a certificate, as stated by somebody who is entitled to.
struct RevocationStatus: Hashable {
  enum State: Hashable {
    case good
    case revoked(at: Instant)
  }

  let state: State
  /// From when the state is known.
  let from: Instant
  /// When newer word is due; nil where that is not said.
  let until: Instant?

  /// nil where nothing is said of the certificate.
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

  /// Whether it speaks of a time: it was said later, or holds until then.
  func covers(_ time: Instant) -> Bool { max(from, until ?? from) >= time }
}

/// A list of what an issuer revoked (CRL), or an answer of its responder (OCSP).
@safe final class Revocation: Sendable {
  /// Never changed after it is made.
  private nonisolated(unsafe) let list: OpaquePointer?
  private nonisolated(unsafe) let answer: OpaquePointer?
  /// In bytes: all of it is hashed whenever it is asked.
  let size: Int

  /// - Parameter der: nil for anything that is no list.
  init?(list der: [UInt8]) {
    guard let list = unsafe cpki_list(der, Int32(der.count)) else { return nil }
    unsafe self.list = unsafe list
    unsafe answer = nil
    size = der.count
  }

  /// - Parameter der: nil for anything that is no answer, and for refusals.
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

  /// The status of a certificate; nil if nothing is said of it, or if it is not the issuer who says so.
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
  /// OCSP's question about this certificate.
  func question(toldBy issuer: Certificate) -> [UInt8] {
    var room: UnsafeMutablePointer<UInt8>?
    let count = unsafe cpki_question(handle, issuer.handle, &room)
    guard count > 0, let start = unsafe room else { return [] }
    defer { unsafe cpki_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// Where the certificate says that its issuer answers.
  var responders: [String] { addresses(isList: 0) }
  /// Where the certificate says that its issuer's list is.
  var lists: [String] { addresses(isList: 1) }

  private func addresses(isList: Int32) -> [String] {
    var room = [CChar](repeating: 0, count: 8 << 10)
    let count = unsafe cpki_addresses(handle, isList, &room, Int32(room.count))
    let text = String(decoding: room.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}
