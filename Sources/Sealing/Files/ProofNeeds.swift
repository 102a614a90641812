public import Base
internal import PDF

/// What a seal lacks so that it can be checked even when nobody publishes revocations about its certificates any more.
public struct ProofNeeds: Sendable {
  /// The certificates of the signers and the time-stamping authorities, and of the issuers above them.
  public let certificates: [Certificate]
  /// A question for each of these certificates, except roots.
  public let questions: [RevocationQuestion]

  /// - Parameters:
  ///   - signature: CMS in DER.
  ///   - known: issuers' certificates that the signature itself may lack.
  public init(ofSeal signature: [UInt8], knowing known: [Certificate] = [], at now: Instant) throws(SealingError) {
    let signers: [Signer]
    do throws(DERFault) {
      signers = try Self.signers(of: SignedMessage(signature), now)
    } catch {
      throw .refused("the signature cannot be read: \(error.finding)")
    }
    do throws(PDFReadError) {
      self = try Self.needs(of: signers, known)
    } catch {
      throw .refused(error.description)
    }
  }

  private init(certificates: [Certificate], questions: [RevocationQuestion]) {
    (self.certificates, self.questions) = (certificates, questions)
  }

  /// A certificate, the certificates that came with it, and the time at which it has to be trusted.
  typealias Signer = (certificate: Certificate, others: [Certificate], time: Instant)

  private static func needs(
    of signers: [Signer], _ known: [Certificate]
  ) throws(PDFReadError) -> ProofNeeds {
    var found: [Certificate] = []
    var asked: [RevocationQuestion] = []
    for (certificate, others, _) in signers {
      let chain = try chain(above: certificate, others + known)
      found += chain.filter { !found.contains($0) }
      for (one, issuer) in zip(chain, chain.dropFirst()) where !asked.contains(where: { $0.certificate == one }) {
        asked.append(RevocationQuestion(certificate: one, issuer: issuer))
      }
    }
    return ProofNeeds(certificates: found, questions: asked)
  }

  /// The signer of a signature and the authorities of its times, each with the time at which it has to be trusted.
  static func signers(of signature: LocatedSignature, _ now: Instant) throws(PDFReadError) -> [Signer] {
    do throws(DERFault) {
      if signature.isTimeStamp {
        let stamp = try TimeStamp(token: signature.trimmed)
        return [(stamp.authority, stamp.certificates, stamp.time)]
      }
      return try signers(of: SignedMessage(signature.trimmed), now)
    } catch {
      throw PDFReadError("the signature in \(ShownText.quoted(signature.field.name)) cannot be read: \(error.finding)")
    }
  }

  private static func signers(of message: SignedMessage, _ now: Instant) throws(DERFault) -> [Signer] {
    var stamps: [TimeStamp] = []
    for token in message.timeStamps { stamps.append(try TimeStamp(token: token)) }
    let time = stamps.first?.time ?? now
    return [(message.signer, message.certificates, time)] + stamps.map { ($0.authority, $0.certificates, $0.time) }
  }

  /// A certificate and the issuers above it, up to a self-signed one.
  static func chain(
    above certificate: Certificate, _ others: [Certificate]
  ) throws(PDFReadError) -> [Certificate] {
    var chain = [certificate]
    while let last = chain.last, !last.isSelfSigned {
      guard chain.count < 10, let next = others.first(where: { $0 != last && $0.issued(last) }) else {
        throw PDFReadError("the certificate of the issuer '\(last.issuer)' of '\(last.subject)' is missing")
      }
      chain.append(next)
    }
    return chain
  }
}

/// Asks an issuer whether a certificate was revoked.
public struct RevocationQuestion: Hashable, Sendable {
  public let certificate: Certificate
  let issuer: Certificate

  /// The URLs of OCSP responders that the certificate names.
  public var responders: [String] { certificate.responders }
  /// The URLs of revocation lists that the certificate names.
  public var lists: [String] { certificate.lists }
  /// OCSP's request in DER.
  public var request: [UInt8] { certificate.question(answeredBy: issuer) }

  /// Checks an OCSP response before it is stored.
  public func check(answer: [UInt8], at now: Instant) throws(SealingError) {
    guard let proof = Revocation(answer: answer) else {
      throw .refused("the responder for '\(certificate.subject)' refused, or answered with something else")
    }
    try check(proof, "the responder for", at: now)
  }

  /// Checks a revocation list before it is stored.
  public func check(list: [UInt8], at now: Instant) throws(SealingError) {
    guard let proof = Revocation(list: list) else {
      throw .refused("what was found instead of the list for '\(certificate.subject)' is no list of revocations")
    }
    try check(proof, "the list for", at: now)
  }

  private static let tolerance = Duration.seconds(300)

  private func check(_ proof: Revocation, _ source: String, at now: Instant) throws(SealingError) {
    guard let status = proof.status(of: certificate, issuedBy: issuer) else {
      throw .refused(
        "\(source) '\(certificate.subject)' is not signed by its issuer, or says nothing of that certificate")
    }
    if case .revoked(let at) = status.state {
      throw .refused("the certificate '\(certificate.subject)' was revoked on \(TimeText.printed(at))")
    }
    guard status.from <= now + Self.tolerance else {
      throw .refused("\(source) '\(certificate.subject)' says that it comes from \(TimeText.printed(status.from))")
    }
    if let until = status.until, until < now {
      throw .refused("\(source) '\(certificate.subject)' ended on \(TimeText.printed(until))")
    }
  }
}
