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
    let evidence = Evidence(try ProofStore(file))
    let permission = try fields.permission(file)
    // From the last to the first: an attested time says when what stands before it was there already.
    var attested: Instant?
    for signature in located.reversed() {
      let one = try self.report(signature, in: file, attested: attested, evidence: evidence, permission: permission)
      if signature.isTimeStamp, one.isIntact, one.isAuthorityTrusted { attested = one.attestedTime ?? attested }
      report.signatures.append(one)
    }
    report.signatures.reverse()
    guard let last = located.last else { return }
    if last.end < pdf.count, file.start < last.end {
      report.faults.append("\(pdf.count - last.end) bytes were appended to the file after its last signature")
    }
    if report.faults.isEmpty, file.bytesBehindEnd > 0 {
      report.faults.append("\(file.bytesBehindEnd) bytes stand behind the end of the file")
    }
    if Set(located.map(\.end)).count < located.count {
      report.faults.append("two signatures claim to end the file at the same place")
    }
  }

  // MARK: - One signature

  /// - Parameter attested: when the file with this signature was there already, as a later one says.
  private func report(
    _ signature: LocatedSignature, in file: PDFFile, attested: Instant?, evidence: Evidence, permission: Int?
  ) throws(PDFReadError) -> SignatureReport {
    var report = SignatureReport(
      field: signature.field.name,
      kind: signature.isTimeStamp
        ? .documentTime : try SignatureRules(signature.dictionary, file).certifies ? .certification : .approval)
    report.reason = signature.dictionary["Reason"]?.text ?? ""
    report.claimedTime = signature.dictionary["M"]?.text ?? ""
    report.coversWholeFile = signature.end == file.bytes.count
    if !signature.hasCleanPadding { report.faults.append("bytes stand behind the signature that do not belong to it") }
    let covered = Array(file.bytes[..<signature.gap.lowerBound]) + file.bytes[signature.gap.upperBound..<signature.end]
    let judge = SignatureJudge(trust: trust, evidence: evidence, now: now, attested: attested)
    do throws(DERFault) {
      if signature.isTimeStamp {
        try judge.checkDocumentTime(signature, covered, &report)
      } else {
        try judge.checkSignature(signature, covered, &report)
      }
    } catch {
      report.faults.append(error.finding)
    }
    if !report.coversWholeFile { findChanges(signature, file, permission, &report) }
    return report
  }

  private func findChanges(
    _ signature: LocatedSignature, _ file: PDFFile, _ permission: Int?, _ report: inout SignatureReport
  ) {
    do throws(PDFReadError) {
      let signed = try PDFFile(Array(file.bytes[..<signature.end]))
      let lock = try SignatureRules(signature.dictionary, file).lock
      report.changes = try ChangeFinder.changes(from: signed, to: file, locked: lock)
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
