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
    let token = try signature.message()
    let stamp = try stamp(token)
    describe(stamp.authority, &report)
    report.token = HashAlgorithm.sha256.hash(token)
    report.covered = CoveredHash(function: stamp.imprintHash, bytes: stamp.imprint)
    guard stamp.covers(covered) else {
      throw DERFault(finding: "what it covers was changed after it was made", .hashFailure)
    }
    report.isChecked = true
    (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
    let chain: [Certificate]
    (report.identity, chain) = identity(of: stamp.authority, stamp.certificates, at: time, isStamper: true)
    report.authorityFinding = report.identity.finding
    checkOrder(stamp, &report)
    setRevocation(in: [chain], at: time, &report)
  }

  func checkSignature(
    _ signature: LocatedSignature, _ covered: [UInt8], _ report: inout SignatureReport
  ) throws(DERFault) {
    guard let form = signature.dictionary["SubFilter"]?.name,
      ["ETSI.CAdES.detached", "adbe.pkcs7.detached"].contains(form)
    else {
      let name = signature.dictionary["SubFilter"]?.name.map(ShownText.quoted) ?? "none"
      throw DERFault(finding: "it has a form that is not known: \(name)", .generic)
    }
    try count(1)
    let message = try SignedMessage(signature.message())
    describe(message.signer, &report)
    report.value = message.signature
    report.covered = CoveredHash(function: message.hash, bytes: message.digest)
    guard message.type == .data, message.content == nil else {
      throw DERFault(finding: "it signs something inside itself")
    }
    guard message.hash.hash(covered) == message.digest else {
      throw DERFault(finding: "what it covers was changed after it was made", .hashFailure)
    }
    report.isChecked = true
    if !message.signer.maySign {
      report.faults.append(Finding(.chainConstraints, "its certificate is not for signatures"))
    }
    if form == "ETSI.CAdES.detached" { checkForm(message, &report) }
    var signed = time
    var chains: [[Certificate]] = []
    for token in message.timeStamps {
      guard let stamp = try stamp(token, for: message, &report) else { continue }
      if report.level == .basic { report.level = .timed }
      // One trusted authority is enough, whoever else attests a time.
      if report.isAuthorityTrusted { continue }
      let (answer, chain) = identity(of: stamp.authority, stamp.certificates, at: time, isStamper: true)
      (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
      report.token = HashAlgorithm.sha256.hash(token)
      report.authorityFinding = answer.finding
      if report.isAuthorityTrusted { signed = min(stamp.time, time) }
      checkOrder(stamp, &report)
      chains = [chain]
    }
    let (identity, chain) = identity(of: message.signer, message.certificates, at: signed)
    report.identity = identity
    setRevocation(in: chains + [chain], at: signed, &report)
    // B-LT if the file proves that no certificate of the chains was revoked; B-LTA if an attested time covers the
    // proofs.
    guard report.level == .timed, identity == .trusted, report.isAuthorityTrusted, evidence.isWhole,
      (chains + [chain]).allSatisfy({ evidence.clears($0, at: signed, now: time) })
    else { return }
    report.level = attested == nil ? .longTerm : .archived
  }

  /// What PAdES asks of a signature beyond what makes it one.
  private func checkForm(_ message: SignedMessage, _ report: inout SignatureReport) {
    if !message.namesCertificate {
      report.faults.append(Finding(.signatureConstraints, "it does not name its certificate, as PAdES asks"))
    } else if message.hasSigningTime {
      report.faults.append(
        Finding(
          .signatureConstraints, "it has a signing time among its signed attributes, which PAdES forbids"))
    } else {
      report.level = .basic
    }
  }

  /// A time stamp of a signature; nil if it is none. It stands beside what is signed, so whatever is wrong with it does
  /// not make the signature a forged one.
  private func stamp(
    _ token: [UInt8], for message: SignedMessage, _ report: inout SignatureReport
  ) throws(DERFault) -> TimeStamp? {
    try count(1)
    do throws(DERFault) {
      let stamp = try TimeStamp(token: token)
      if stamp.covers(message.signature) { return stamp }
      report.faults.append(Finding(.signatureConstraints, "its time stamp is for something else"))
    } catch {
      let isFailure = error.subindication.verdict == .failed
      report.faults.append(
        Finding(isFailure ? .signatureConstraints : error.subindication, "of its time stamp: \(error.finding)"))
    }
    return nil
  }

  private static let tolerance = Duration.seconds(300)

  /// Nobody can have seen a signature at a time that is still to come.
  private func checkOrder(_ stamp: TimeStamp, _ report: inout SignatureReport) {
    guard stamp.time > now + Self.tolerance else { return }
    report.faults.append(
      Finding(.timeOrder, "the attested time, \(TimeText.printed(stamp.time)), is still to come"))
  }

  /// - Throws: when the budget is used up; then the whole file is given up.
  private func count(_ checks: Int) throws(DERFault) {
    guard evidence.budget.spend(checks, .keyChecks) else { throw DERFault(finding: "it was not checked", .generic) }
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
    guard evidence.budget.spend(most, .keyChecks) else {
      return (.untrusted(Finding(.generic, "not checked")), [])
    }
    let chain: [Certificate]
    switch trust.chain(of: certificate, with: all, at: time, isStamper: isStamper) {
    case .refused(let reason): return (certificate.isSelfSigned ? .selfSigned : .untrusted(reason), [])
    case .trusted(let found): chain = found
    }
    evidence.budget.giveBack(most - (chain.count - 1), .keyChecks)
    if let altered = evidence.altered(among: others, trust.roots) {
      let name = ShownText.quoted(altered.subject)
      return (.untrusted(Finding(.brokenChain, "the certificate \(name), which comes along, was altered")), [])
    }
    // A signer whose certificate was revoked by then is not trusted, whatever else is known.
    if let (revoked, at) = evidence.revoked(in: chain, by: time) {
      let name = ShownText.quoted(revoked.subject)
      let words = "the certificate \(name) was revoked on \(TimeText.printed(at))"
      return (.untrusted(Finding(revoked == certificate ? .revoked : .issuerRevoked, words)), chain)
    }
    return (.trusted, chain)
  }

  private func setRevocation(in chains: [[Certificate]], at time: Instant, _ report: inout SignatureReport) {
    report.revocation = revocation(in: chains, at: time)
    if report.revocation == .good {
      report.revokedLater = chains.compactMap { evidence.revokedLater(in: $0, after: time) }.min()
    }
  }

  private func revocation(in chains: [[Certificate]], at time: Instant) -> SignatureReport.Revocation {
    // Without a chain it is unknown whose revocations count.
    if chains.contains(where: \.isEmpty) { return .notChecked }
    if chains.contains(where: { evidence.revoked(in: $0, by: time) != nil }) { return .revoked }
    if chains.allSatisfy({ $0.count == 1 }) { return .notApplicable }
    return chains.allSatisfy { evidence.clears($0, at: time, now: self.time) } ? .good : .notChecked
  }
}
