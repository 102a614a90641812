public import Base

extension DocumentReport {
  /// The report as ETSI TS 119 102-2 writes it, in XML: for each signature what it is, who signed, since when it is
  /// known to exist, and what became of it; then the certificates and times that this rests on, by their hashes.
  ///
  /// It is not signed: whoever doubts it checks the file again.
  public func validationReport(of pdf: [UInt8], at now: Instant) -> [UInt8] {
    let writer = ValidationReportWriter(report: self, file: Digest(of: pdf).bytes, now: now)
    return Array(writer.document.utf8)
  }
}

/// Writes the elements of the report in the order that its schema wants.
private struct ValidationReportWriter {
  let report: DocumentReport
  let file: [UInt8]
  let now: Instant

  private typealias Numbered = (number: Int, one: SignatureReport)

  /// The signatures, and the times over the document, by their places in the file.
  private var signatures: [Numbered] { numbered.filter { $0.one.kind != .documentTime } }
  private var times: [Numbered] { numbered.filter { $0.one.kind == .documentTime } }
  private var numbered: [Numbered] { report.signatures.enumerated().map { ($0 + 1, $1) } }

  var document: String {
    let reports = signatures.isEmpty ? [unsigned] : signatures.map(signature)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ValidationReport xmlns="http://uri.etsi.org/19102/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" \
      xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      \((reports + [objects]).joined(separator: "\n"))
      </ValidationReport>

      """
  }

  // MARK: Signatures

  private func signature(_ number: Int, _ one: SignatureReport) -> String {
    var parts = [
      element("SignatureIdentifier", "id=\"S-\(number)\"", identifier(one)), validationTime(number, one),
    ]
    if let covered = one.covered {
      parts.append(element("SignersDocument", digest(covered) + reference("D-1", "SignersDocumentRef")))
    }
    if !one.fingerprint.isEmpty {
      parts.append(
        element(
          "SignerInformation",
          reference("C-\(one.fingerprint)", "SignerCertificate") + element("Signer", text(one.signer))))
    }
    parts.append(process)
    parts.append(status(of: one.findings + report.faults, about: one))
    return element("SignatureValidationReport", parts.joined())
  }

  /// What is said of a file without a signature, or of one that cannot be read. The standard begins with a signature.
  private var unsigned: String {
    let findings = [report.deciding].compactMap { $0 } + report.faults.filter { $0 != report.deciding }
    let time = element(
      "ValidationTimeInfo", element("ValidationTime", TimeText.rfc3339(now)) + bestTime(now, "validation", nil))
    let covered = element(
      "SignersDocument",
      digest(CoveredHash(function: .sha256, bytes: file)) + reference("D-1", "SignersDocumentRef"))
    return element("SignatureValidationReport", time + covered + process + status(of: findings, about: nil))
  }

  private func identifier(_ one: SignatureReport) -> String {
    let value =
      one.value.isEmpty ? "" : "<ds:SignatureValue>\(Base64.encode(one.value))</ds:SignatureValue>"
    return (one.covered.map(digest) ?? "") + value + element("HashOnly", "false") + element("DocHashOnly", "false")
      + element("DAIdentifier", text(one.field))
  }

  /// The earliest time at which the signature is known to have existed: an attested one, or else that of the check.
  private func validationTime(_ number: Int, _ one: SignatureReport) -> String {
    var (time, kind, object) = (now, "validation", String?.none)
    if one.isAuthorityTrusted, let attested = one.attestedTime {
      (time, kind, object) = (attested, "provided", "T-\(number)")
    } else if let later = times.first(where: { $0.number > number && $0.one.verdict == .passed }),
      let attested = later.one.attestedTime
    {
      (time, kind, object) = (attested, "provided", "T-\(later.number)")
    }
    return element(
      "ValidationTimeInfo", element("ValidationTime", TimeText.rfc3339(now)) + bestTime(time, kind, object))
  }

  private func bestTime(_ time: Instant, _ kind: String, _ object: String?) -> String {
    element(
      "BestSignatureTime",
      element("POETime", TimeText.rfc3339(time)) + element("TypeOfProof", "urn:etsi:019102:poetype:\(kind)")
        + (object.map { reference($0, "POEObject") } ?? ""))
  }

  private var process: String {
    element(
      "SignatureValidationProcess",
      element("SignatureValidationProcessID", "urn:etsi:019102:validationprocess:LTA"))
  }

  // MARK: What became of it

  private func status(of findings: [Finding], about one: SignatureReport?) -> String {
    let verdict = findings.verdict
    var parts = [element("MainIndication", "urn:etsi:019102:mainindication:\(verdict.rawValue.lowercased())")]
    if let deciding = findings.deciding { parts.append(element("SubIndication", deciding.subindication.address)) }
    let said =
      findings.map { ("finding", $0.words) }
      + (one?.changes.filter(\.isExpected).map { ("change", $0.description) } ?? [])
      + facts(of: one)
    if !said.isEmpty {
      let data = said.map { kind, words in
        element(
          "ReportData",
          element("Type", "urn:assent:report:\(kind)") + "<Value xsi:type=\"xs:string\">\(text(words))</Value>")
      }
      parts.append(
        element("AssociatedValidationReportData", element("AdditionalValidationReportData", data.joined())))
    }
    return element("SignatureValidationStatus", parts.joined())
  }

  private func facts(of one: SignatureReport?) -> [(String, String)] {
    guard let one else { return [] }
    let level: [(String, String)] = one.level.map { [("level", "PAdES \($0.rawValue)")] } ?? []
    return level + [("revocation", one.revocation.rawValue)]
  }

  // MARK: What it rests on

  private var objects: String {
    var list = [object("D-1", "signedData", digest(CoveredHash(function: .sha256, bytes: file)))]
    var seen: Set<String> = []
    for (number, one) in numbered {
      if !one.fingerprint.isEmpty, seen.insert(one.fingerprint).inserted, let hash = Hex.decode(one.fingerprint) {
        list.append(
          object("C-\(one.fingerprint)", "certificate", digest(CoveredHash(function: .sha256, bytes: hash))))
      }
      guard !one.token.isEmpty else { continue }
      let proof = one.attestedTime.map { element("POEProvisioning", element("POETime", TimeText.rfc3339($0))) } ?? ""
      let findings = one.kind == .documentTime ? one.findings : [one.authorityFinding].compactMap { $0 }
      list.append(
        object(
          "T-\(number)", "timestamp", digest(CoveredHash(function: .sha256, bytes: one.token)),
          proof + element("ValidationReport", process + status(of: findings, about: nil))))
    }
    return element("SignatureValidationObjects", list.joined())
  }

  private func object(_ id: String, _ type: String, _ digest: String, _ more: String = "") -> String {
    element(
      "ValidationObject", "id=\"\(id)\"",
      element("ObjectType", "urn:etsi:019102:validationObject:\(type)")
        + element("ValidationObjectRepresentation", digest) + more)
  }

  // MARK: XML

  private func digest(_ hash: CoveredHash) -> String {
    element(
      "DigestAlgAndValue",
      "<ds:DigestMethod Algorithm=\"\(hash.function.address)\"/>"
        + "<ds:DigestValue>\(Base64.encode(hash.bytes))</ds:DigestValue>")
  }

  private func reference(_ id: String, _ name: String) -> String { "<\(name) VOReference=\"\(id)\"/>" }

  private func element(_ name: String, _ content: String) -> String { "<\(name)>\(content)</\(name)>" }

  private func element(_ name: String, _ attributes: String, _ content: String) -> String {
    "<\(name) \(attributes)>\(content)</\(name)>"
  }

  private func text(_ text: String) -> String { MarkupText.escaped(ShownText.plain(text)) }
}

extension Subindication {
  /// Its name as an address: the standard's, or one of ours where the standard has no word.
  fileprivate var address: String {
    self == .noSignature ? "urn:assent:subindication:\(rawValue)" : "urn:etsi:019102:subindication:\(rawValue)"
  }
}

extension HashAlgorithm {
  fileprivate var address: String {
    switch self {
    case .sha256: "http://www.w3.org/2001/04/xmlenc#sha256"
    case .sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384"
    case .sha512: "http://www.w3.org/2001/04/xmlenc#sha512"
    }
  }
}
