internal import Base
internal import PDF

/// Judges one signature by the trusted roots, the file's proofs and what is known of the time.
struct SignatureJudge {
  let trust: Trust
  let evidence: Evidence
  let now: Instant
  /// When the signature already existed, by an attested time over the document from a trusted authority.
  let attested: Instant?

  /// The time at which certificates must be valid: the earliest at which the signature is known to have existed.
  private var time: Instant { attested ?? now }

  func checkDocumentTime(
    _ signature: LocatedSignature, _ covered: [UInt8], _ report: inout SignatureReport
  ) throws(DERFault) {
    let stamp = try stamp(signature.message())
    describe(stamp.authority, &report)
    guard stamp.covers(covered) else { throw DERFault(finding: "what it covers was changed after it was made") }
    (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
    let chain: [Certificate]
    (report.identity, chain) = identity(of: stamp.authority, stamp.certificates, at: time, isStamper: true)
    report.isAuthorityTrusted = report.identity == .trusted
    report.revocation = revocation(in: [chain], at: time)
  }

  func checkSignature(
    _ signature: LocatedSignature, _ covered: [UInt8], _ report: inout SignatureReport
  ) throws(DERFault) {
    guard let form = signature.dictionary["SubFilter"]?.name,
      ["ETSI.CAdES.detached", "adbe.pkcs7.detached"].contains(form)
    else {
      let name = signature.dictionary["SubFilter"]?.name.map(ShownText.quoted) ?? "none"
      throw DERFault(finding: "it has a form that is not known: \(name)")
    }
    try count(1)
    let message = try SignedMessage(signature.message())
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
      let stamp = try stamp(token)
      guard stamp.covers(message.signature) else { throw DERFault(finding: "its time stamp is for something else") }
      if report.level == .basic { report.level = .timed }
      // One trusted authority is enough, whoever else attests a time.
      if report.isAuthorityTrusted { continue }
      let (answer, chain) = identity(of: stamp.authority, stamp.certificates, at: time, isStamper: true)
      (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
      report.isAuthorityTrusted = answer == .trusted
      if report.isAuthorityTrusted { signed = stamp.time }
      chains = [chain]
    }
    let (identity, chain) = identity(of: message.signer, message.certificates, at: signed)
    report.identity = identity
    report.revocation = revocation(in: chains + [chain], at: signed)
    // B-LT if the file proves that no certificate of the chains was revoked; B-LTA if an attested time covers the
    // proofs.
    guard report.level == .timed, identity == .trusted, report.isAuthorityTrusted, evidence.isWhole,
      (chains + [chain]).allSatisfy({ evidence.clears($0, at: signed, now: time) })
    else { return }
    report.level = attested == nil ? .longTerm : .archived
  }

  /// - Throws: when the budget is used up; then the whole file is given up.
  private func count(_ checks: Int) throws(DERFault) {
    guard evidence.budget.spend(checks, .keyChecks) else { throw DERFault(finding: "it was not checked") }
  }

  private func stamp(_ token: [UInt8]) throws(DERFault) -> TimeStamp {
    try count(1)
    return try TimeStamp(token: token)
  }

  private func describe(_ certificate: Certificate, _ report: inout SignatureReport) {
    report.signer = certificate.subject
    report.issuer = certificate.issuer
    report.fingerprint = certificate.fingerprint.hex
    (report.validFrom, report.validUntil) = (certificate.validFrom, certificate.validUntil)
  }

  /// How far a certificate can be trusted, and the chain to the root that vouches for it.
  private func identity(
    of certificate: Certificate, _ others: [Certificate], at time: Instant, isStamper: Bool = false
  ) -> (SignatureReport.Identity, chain: [Certificate]) {
    let all = others + evidence.certificates
    // A chain may have a root besides the certificates that came along.
    let most = min(all.count + 1, Trust.mostChecks)
    guard evidence.budget.spend(most, .keyChecks) else { return (.untrusted("not checked"), []) }
    let chain: [Certificate]
    switch trust.chain(of: certificate, with: all, at: time, isStamper: isStamper) {
    case .refused(let reason): return (certificate.isSelfSigned ? .selfSigned : .untrusted(reason), [])
    case .trusted(let found): chain = found
    }
    evidence.budget.giveBack(most - (chain.count - 1), .keyChecks)
    if let altered = evidence.altered(among: others, trust.roots) {
      let name = ShownText.quoted(altered.subject)
      return (.untrusted("the certificate \(name), which comes along, was altered"), [])
    }
    // A signer whose certificate was revoked by then is not trusted, whatever else is known.
    if let (revoked, at) = evidence.revoked(in: chain, by: time) {
      let name = ShownText.quoted(revoked.subject)
      return (.untrusted("the certificate \(name) was revoked on \(TimeText.printed(at))"), chain)
    }
    return (.trusted, chain)
  }

  private func revocation(in chains: [[Certificate]], at time: Instant) -> SignatureReport.Revocation {
    // Without a chain it is unknown whose revocations count.
    if chains.contains(where: \.isEmpty) { return .notChecked }
    if chains.contains(where: { evidence.revoked(in: $0, by: time) != nil }) { return .revoked }
    if chains.allSatisfy({ $0.count == 1 }) { return .notApplicable }
    return chains.allSatisfy { evidence.clears($0, at: time, now: self.time) } ? .good : .notChecked
  }
}
