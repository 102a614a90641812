public import Base
internal import PDF

/// Checks the signatures of a file with nothing but the file, the roots to trust and the time. Nothing that a file names
/// is fetched.
public struct DocumentVerifier: Sendable {
  private let trust: Trust
  private let now: Instant

  public init(trusting trust: Trust, at now: Instant) {
    self.trust = trust
    self.now = now
  }

  public func verify(_ pdf: [UInt8]) -> DocumentReport {
    var report = DocumentReport()
    do throws(PDFReadError) {
      try verify(pdf, &report)
    } catch {
      report.isReadable = false
      report.faults.append(error.description)
    }
    return report
  }

  private func verify(_ pdf: [UInt8], _ report: inout DocumentReport) throws(PDFReadError) {
    let file = try PDFFile(pdf)
    // What no signature could vouch for, because a reader would not come across it: every object has to be readable.
    for number in file.numbers { _ = try file.object(number) }
    let fields = try SignatureFields(file)
    var located: [LocatedSignature] = []
    for field in fields.signed {
      do throws(PDFReadError) {
        located.append(try LocatedSignature(field, in: file))
      } catch {
        var broken = SignatureReport(field: field.name, kind: .approval)
        broken.faults.append(error.description)
        report.signatures.append(broken)
      }
    }
    located.sort { $0.end < $1.end }
    let proofs = try ProofStore(file)
    let permission = try fields.permission(file)
    for (index, signature) in located.enumerated() {
      let later = located[(index + 1)...].filter(\.isTimeStamp)
      report.signatures.append(
        try self.report(signature, in: file, later: Array(later), proofs: proofs, permission: permission))
    }
    guard let last = located.last else { return }
    if last.end < pdf.count, file.start < last.end {
      report.faults.append("\(pdf.count - last.end) bytes were appended to the file after its last signature")
    }
    if Set(located.map(\.end)).count < located.count {
      report.faults.append("two signatures claim to end the file at the same place")
    }
  }

  // MARK: - One signature

  private func report(
    _ signature: LocatedSignature, in file: PDFFile, later: [LocatedSignature], proofs: ProofStore, permission: Int?
  ) throws(PDFReadError) -> SignatureReport {
    let certifies = try !(file.resolve(signature.dictionary["Reference"]).array ?? []).isEmpty
    var report = SignatureReport(
      field: signature.field.name,
      kind: signature.isTimeStamp ? .documentTime : certifies ? .certification : .approval)
    report.reason = signature.dictionary["Reason"]?.text ?? ""
    report.claimedTime = signature.dictionary["M"]?.text ?? ""
    report.coversWholeFile = signature.end == file.bytes.count
    if !signature.hasCleanPadding { report.faults.append("bytes stand behind the signature that do not belong to it") }
    let covered = Array(file.bytes[..<signature.gap.lowerBound]) + file.bytes[signature.gap.upperBound..<signature.end]
    do throws(DERFault) {
      if signature.isTimeStamp {
        try checkDocumentTime(signature, covered, proofs, &report)
      } else {
        try checkSignature(signature, covered, later, proofs, &report)
      }
    } catch {
      report.faults.append(error.finding)
    }
    if !report.coversWholeFile { findChanges(signature, file, permission, &report) }
    return report
  }

  private func describe(_ certificate: Certificate, _ report: inout SignatureReport) {
    report.signer = certificate.subject
    report.issuer = certificate.issuer
    report.fingerprint = certificate.fingerprint.hex
    (report.validFrom, report.validUntil) = (certificate.validFrom, certificate.validUntil)
  }

  private func checkDocumentTime(
    _ signature: LocatedSignature, _ covered: [UInt8], _ proofs: ProofStore, _ report: inout SignatureReport
  ) throws(DERFault) {
    let stamp = try TimeStamp(token: signature.trimmed)
    describe(stamp.authority, &report)
    guard stamp.covers(covered) else { throw DERFault(finding: "what it covers was changed after it was made") }
    (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
    report.identity = identity(of: stamp.authority, stamp.certificates, at: stamp.time, proofs)
    report.isAuthorityTrusted = report.identity == .trusted
  }

  private func checkSignature(
    _ signature: LocatedSignature, _ covered: [UInt8], _ later: [LocatedSignature], _ proofs: ProofStore,
    _ report: inout SignatureReport
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
    var time = now
    for token in message.timeStamps {
      let stamp = try TimeStamp(token: token)
      guard stamp.covers(message.signature) else { throw DERFault(finding: "its time stamp is for something else") }
      (report.attestedTime, report.authority) = (stamp.time, stamp.authority.subject)
      let answer = identity(of: stamp.authority, stamp.certificates, at: now, proofs)
      report.isAuthorityTrusted = answer == .trusted
      if report.isAuthorityTrusted { time = stamp.time }
      if report.level == .basic { report.level = .timed }
    }
    report.identity = identity(of: message.signer, message.certificates, at: time, proofs)
    raiseLevel(message, later, proofs, &report)
  }

  private func identity(
    of certificate: Certificate, _ others: [Certificate], at time: Instant, _ proofs: ProofStore
  ) -> SignatureReport.Identity {
    let all = others + proofs.certificates.compactMap { Certificate(der: $0) }
    switch trust.check(certificate, with: all, at: time) {
    case .refused(let reason): return certificate.isSelfSigned ? .selfSigned : .untrusted(reason)
    case .trusted: break
    }
    // What comes along with a signature is not covered by it. Each certificate has to be vouched for by its issuer, or
    // a part of the file could be altered unnoticed.
    if !trust.roots.contains(certificate),
      let stray = all.first(where: { one in !one.isSelfSigned && !(all + trust.roots).contains { $0.issued(one) } })
    {
      return .untrusted("the certificate '\(stray.subject)', which comes along, was altered, or its issuer is missing")
    }
    // Lists that are in the file count: who was revoked by then is not trusted, whatever else speaks for them.
    if !proofs.lists.isEmpty,
      case .refused(let reason) = trust.check(certificate, with: all, at: now, lists: proofs.lists, needsLists: true),
      reason.contains("revoked")
    {
      return .untrusted(reason)
    }
    return .trusted
  }

  /// B-LT where the file has what proves that no certificate of the chain was revoked, B-LTA where that was attested.
  private func raiseLevel(
    _ message: SignedMessage, _ later: [LocatedSignature], _ proofs: ProofStore, _ report: inout SignatureReport
  ) {
    guard report.level == .timed, report.identity == .trusted, report.isAuthorityTrusted else { return }
    let attested = later.last.flatMap { try? TimeStamp(token: $0.trimmed).time }
    let all = message.certificates + proofs.certificates.compactMap { Certificate(der: $0) }
    guard
      trust.check(message.signer, with: all, at: attested ?? now, lists: proofs.lists, needsLists: true) == .trusted
    else { return }
    report.level = attested == nil ? .longTerm : .archived
  }

  private func findChanges(
    _ signature: LocatedSignature, _ file: PDFFile, _ permission: Int?, _ report: inout SignatureReport
  ) {
    do throws(PDFReadError) {
      let signed = try PDFFile(Array(file.bytes[..<signature.end]))
      report.changes = try ChangeFinder.changes(from: signed, to: file)
      if report.kind == .certification, permission == 1 {
        for change in report.changes where change.description.contains("further signature") {
          report.changes.append(.unexpected("the certificate of the document permits no \(change.description)"))
        }
      }
    } catch {
      report.faults.append("the part that was signed is no whole document: \(error.description)")
    }
  }
}
