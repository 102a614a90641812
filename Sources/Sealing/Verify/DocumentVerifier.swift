public import Base
internal import PDF

/// Checks the signatures of a file by the file, the trusted roots and the time alone. It never fetches anything that a
/// file names.
public struct DocumentVerifier: Sendable {
  private let trust: Trust
  private let now: Instant

  public init(trusting trust: Trust, at now: Instant) {
    self.trust = trust
    self.now = now
  }

  /// - Parameter isOver: called repeatedly to ask whether to give the file up.
  public func verify(_ pdf: [UInt8], isOver: @escaping () -> Bool = { false }) -> DocumentReport {
    var report = DocumentReport()
    do throws(PDFReadError) {
      let budget = ReadingBudget(isOver: isOver)
      try verify(PDFFile(pdf, budget), &report)
      // If time or work ran out, what was not checked might be what invalidates the file.
      try budget.check()
    } catch {
      report = DocumentReport()
      report.isReadable = false
      report.isExhausted = error.isExhaustion
      report.faults = [Finding(error.isExhaustion ? .generic : .noData, error.description)]
    }
    return report
  }

  private func verify(_ file: PDFFile, _ report: inout DocumentReport) throws(PDFReadError) {
    // Every object has to be readable, since a signature cannot vouch for one that a reader skips.
    try readObjects(of: file)
    let fields = try SignatureFields(file)
    var located: [LocatedSignature] = []
    for field in fields.signed {
      do throws(PDFReadError) {
        located.append(try LocatedSignature(field, in: file))
      } catch {
        try file.budget.check()
        var broken = SignatureReport(field: field.name, kind: .approval)
        broken.faults.append(Finding(.formatFailure, error.description))
        report.signatures.append(broken)
      }
    }
    located.sort { $0.end < $1.end }
    let evidence = Evidence(try ProofStore(file))
    // From last to first, since an attested time says when everything before it existed.
    var attested: Instant?
    var signed: SignedRevision?
    for signature in located.reversed() {
      let (one, part) = try self.report(signature, in: file, attested: attested, evidence: evidence)
      signed = part
      if signature.isTimeStamp, one.isIntact, one.isAuthorityTrusted { attested = one.attestedTime ?? attested }
      report.signatures.append(one)
    }
    report.signatures.reverse()
    guard let first = located.first, let last = located.last else { return }
    let length = file.bytes.count
    // They are shown by nobody, and belong to nothing that is signed.
    if last.end < length, file.start < last.end, !file.bytes[last.end...].allSatisfy(PDFLexer.isSpace) {
      report.faults.append(
        Finding(.generic, "\(length - last.end) bytes were appended to the file after its last signature"))
    }
    if report.faults.isEmpty, file.bytesBehindEnd > 0 {
      report.faults.append(Finding(.generic, "\(file.bytesBehindEnd) bytes stand behind the end of the file"))
    }
    if report.faults.isEmpty, first.end < length {
      try checkNames(behind: first.end, in: file, signed, Set(fields.signed.map(\.number)), &report)
    }
    if Set(located.map(\.end)).count < located.count {
      report.fail("two signatures claim to end the file at the same place")
    }
  }

  /// From the first signature on and not the last, since anybody can have a time attested after what they appended.
  ///
  /// - Parameters:
  ///   - signed: what the first signature covers; nil if its report says that it cannot be read.
  ///   - fields: the numbers of all signed fields.
  private func checkNames(
    behind end: Int, in file: PDFFile, _ signed: SignedRevision?, _ fields: Set<Int>, _ report: inout DocumentReport
  ) throws(PDFReadError) {
    do throws(PDFReadError) {
      let earlier = try file.checkNames(behind: end)
      if let signed { try checkRevisions(earlier, of: file, from: signed, fields, &report) }
    } catch {
      try file.budget.check()
      report.fail(error.description)
    }
  }

  /// Other programs may show objects of revisions that this reader considers replaced. So each of these revisions must
  /// leave the first signature valid. Only fields that are signed by now may still be empty there.
  private func checkRevisions(
    _ ends: [Int], of file: PDFFile, from signed: SignedRevision, _ fields: Set<Int>, _ report: inout DocumentReport
  ) throws(PDFReadError) {
    for place in ends {
      let changes = try ChangeFinder.changes(from: signed, to: file.revision(until: place), signedLater: fields)
      guard let finding = changes.compactMap(\.finding).deciding else { continue }
      report.faults.append(
        Finding(
          finding.subindication,
          "in a revision that ends at byte \(place), and of which other programs may show parts, \(finding.words)"))
      return
    }
  }

  private func readObjects(of file: PDFFile) throws(PDFReadError) {
    var places: [Range<Int>] = []
    for number in file.numbers {
      if let place = try file.place(of: number) { places.append(place) }
    }
    // An object around a signature would contain bytes that nothing covers.
    places.sort { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(places, places.dropFirst()) where next.lowerBound < one.upperBound {
      throw PDFReadError("the object at byte \(one.lowerBound) has another one in it")
    }
  }

  // MARK: - One signature

  /// - Parameter attested: when the file with this signature already existed, by a later attested time.
  /// - Returns: also what the signature covers, unless that is the whole file or cannot be read.
  private func report(
    _ signature: LocatedSignature, in file: PDFFile, attested: Instant?, evidence: Evidence
  ) throws(PDFReadError) -> (report: SignatureReport, signed: SignedRevision?) {
    let rules = try SignatureRules(signature.dictionary, file)
    var report = SignatureReport(
      field: signature.field.name,
      kind: signature.isTimeStamp ? .documentTime : rules.certifies ? .certification : .approval)
    report.reason = signature.dictionary["Reason"]?.text ?? ""
    report.claimedTime = signature.dictionary["M"]?.text ?? ""
    report.coversWholeFile = signature.end == file.bytes.count
    if !signature.hasCleanPadding {
      report.fail("bytes stand behind the signature that do not belong to it")
    }
    try file.budget.take(signature.end, .readBytes)
    let covered = Array(file.bytes[..<signature.gap.lowerBound]) + file.bytes[signature.gap.upperBound..<signature.end]
    let claims = try RangeClaims.places(in: covered, file.budget)
    if !claims.contains(signature.rangePlace) {
      report.fail("it does not say in plain digits what it covers, so a second such place could not be found")
    } else if claims.count > 1 {
      report.fail("it fits a second place in the file as well, where it would sign another document")
    }
    let judge = SignatureJudge(trust: trust, evidence: evidence, now: now, attested: attested)
    do throws(DERFault) {
      if signature.isTimeStamp {
        try judge.checkDocumentTime(signature, covered, &report)
      } else {
        try judge.checkSignature(signature, covered, &report)
      }
    } catch {
      report.faults.append(Finding(error.subindication, error.finding))
    }
    let signed = report.coversWholeFile ? nil : findChanges(signature, file, rules, &report)
    try file.budget.check()
    return (report, signed)
  }

  /// - Returns: what the signature covers; nil if that cannot be read.
  private func findChanges(
    _ signature: LocatedSignature, _ file: PDFFile, _ rules: SignatureRules, _ report: inout SignatureReport
  ) -> SignedRevision? {
    do throws(PDFReadError) {
      let signed = try SignedRevision(file.revision(until: signature.end), rules)
      report.changes = try ChangeFinder.changes(from: signed, to: file)
      // Even then, proofs and attested times may be added (ISO 32000-2, 12.8.2.2.2).
      if report.kind == .certification, rules.permission == 1 {
        for change in report.changes where change.isSignature {
          report.changes.append(.unexpected("the certificate of the document permits no signature after it"))
        }
      }
      return signed
    } catch {
      report.fail("the part that was signed is no whole document: \(error.description)")
      return nil
    }
  }
}

extension DocumentReport {
  fileprivate mutating func fail(_ words: String) { faults.append(Finding(.formatFailure, words)) }
}

extension SignatureReport {
  fileprivate mutating func fail(_ words: String) { faults.append(Finding(.formatFailure, words)) }
}
