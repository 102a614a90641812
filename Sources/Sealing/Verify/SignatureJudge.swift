internal import Base
internal import PDF

/// Judges one signature by the roots to trust, the proofs of its file and what is known of the time.
struct SignatureJudge {
  let trust: Trust
  let evidence: Evidence
  let now: Instant
  /// When the signature was there already, as a time over the document says whose authority is trusted.
  let attested: Instant?

  /// The time at which certificates have to be valid: the earliest at which the signature is known to have been there.
  private var time: Instant { attested ?? now }

  func checkDocumentTime(
    _ signature: LocatedSignature, _ covered: [UInt8], _ report: inout SignatureReport
  ) throws(DERFault) {
    let stamp = try TimeStamp(token: signature.trimmed)
    describe(stamp.authority, &report)
    guard stamp.covers(covered) else { throw DERFault(finding: "what it covers was changed after it was made") }
    (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
    report.identity = identity(of: stamp.authority, stamp.certificates, at: time).0
    report.isAuthorityTrusted = report.identity == .trusted
  }

  func checkSignature(
    _ signature: LocatedSignature, _ covered: [UInt8], _ report: inout SignatureReport
  ) throws(DERFault) {
    guard let form = signature.dictionary["SubFilter"]?.name,
      ["ETSI.CAdES.detached", "adbe.pkcs7.detached"].contains(form)
    else {
      throw DERFault(finding: "it has a form that is not known: \(signature.dictionary["SubFilter"]?.name ?? "none")")
    }
    let message = try SignedMessage(signature.trimmed)
    describe(message.signer, &report)
    guard message.type == .data, message.content == nil else {
      throw DERFault(finding: "it signs something inside itself")
    }
    guard message.hash.hash(covered) == message.digest else {
      throw DERFault(finding: "what it covers was changed after it was made")
    }
    guard message.signer.maySign else { throw DERFault(finding: "its certificate is not for signatures") }
    if form == "ETSI.CAdES.detached" {
      guard message.namesCertificate else { throw DERFault(finding: "it does not name its certificate, as PAdES asks") }
      guard !message.hasSigningTime else {
        throw DERFault(finding: "it has a signing time among its signed attributes, which PAdES forbids")
      }
      report.level = .basic
    }
    var signed = time
    var chains: [[Certificate]] = []
    for token in message.timeStamps {
      let stamp = try TimeStamp(token: token)
      guard stamp.covers(message.signature) else { throw DERFault(finding: "its time stamp is for something else") }
      (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
      let (answer, chain) = identity(of: stamp.authority, stamp.certificates, at: time)
      report.isAuthorityTrusted = answer == .trusted
      if report.isAuthorityTrusted { signed = stamp.time }
      chains.append(chain)
      if report.level == .basic { report.level = .timed }
    }
    let (identity, chain) = identity(of: message.signer, message.certificates, at: signed)
    report.identity = identity
    // B-LT where the file has what proves that nobody in the chains was revoked, B-LTA where that was attested.
    guard report.level == .timed, identity == .trusted, report.isAuthorityTrusted, evidence.isPresent,
      (chains + [chain]).allSatisfy({ evidence.clears($0, at: signed, now: time) })
    else { return }
    report.level = attested == nil ? .longTerm : .archived
  }

  private func describe(_ certificate: Certificate, _ report: inout SignatureReport) {
    report.signer = certificate.subject
    report.issuer = certificate.issuer
    report.fingerprint = certificate.fingerprint.hex
    (report.validFrom, report.validUntil) = (certificate.validFrom, certificate.validUntil)
  }

  /// How far a certificate can be relied on, and the chain to whom vouches for it.
  private func identity(
    of certificate: Certificate, _ others: [Certificate], at time: Instant
  ) -> (SignatureReport.Identity, chain: [Certificate]) {
    let all = others + evidence.certificates
    let chain: [Certificate]
    switch trust.chain(of: certificate, with: all, at: time) {
    case .refused(let reason): return (certificate.isSelfSigned ? .selfSigned : .untrusted(reason), [])
    case .trusted(let found): chain = found
    }
    // What comes along with a signature is not covered by it. Each certificate has to be vouched for by its issuer, or
    // a part of the file could be altered unnoticed.
    if !trust.roots.contains(certificate),
      let stray = all.first(where: { one in !one.isSelfSigned && !(all + trust.roots).contains { $0.issued(one) } })
    {
      let reason = "the certificate '\(stray.subject)', which comes along, was altered, or its issuer is missing"
      return (.untrusted(reason), [])
    }
    // Who was revoked by then is not trusted, whatever else speaks for them.
    if let (revoked, at) = evidence.revoked(in: chain, by: time) {
      return (.untrusted("the certificate '\(revoked.subject)' was revoked on \(TimeText.printed(at))"), [])
    }
    return (.trusted, chain)
  }
}
