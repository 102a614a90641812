internal import Base
internal import Documents
internal import Sealing
internal import ServiceKit

/// The report about a file as a page for people: the verdict in a sentence, what it means, and what was found.
struct ReportPaper {
  private let report: DocumentReport
  private let name: String
  private let hash: String
  private let now: Instant

  init(_ report: DocumentReport, of pdf: [UInt8], named path: String, at now: Instant) {
    (self.report, self.now) = (report, now)
    name = path.split(separator: "/").last.map(String.init) ?? path
    hash = Digest(of: pdf).hex
  }

  var paper: ConsentPaper {
    // The last page of a paper is the one for signatures. A report has none, and says there how it came to be.
    var page = SignaturePage(title: "How this was found out", content: method, blocks: [])
    page.hasSealField = false
    var paper = ConsentPaper(
      title: "Report on a signed document", language: "en", size: .a4,
      sections: [.init(heading: "", markup: verdict)] + signatures, signaturePage: page, created: now)
    paper.author = "Assent"
    return paper
  }

  // MARK: Parts

  private var verdict: String {
    let meaning =
      switch (report.verdict, report.isSigned) {
      case (.passed, _):
        "The document is as it was when it was signed. Those who signed are vouched for by somebody whom you trust. "
          + "You can rely on it as on a paper with these signatures."
      case (.failed, _):
        "Do not rely on this file. It is not what was signed, or it was changed in a way that was forbidden. Ask the "
          + "one who gave it to you for the file as they have it. Whoever signed may still hold the right one."
      case (.indeterminate, false):
        "Nobody signed this file, or it cannot be read. That says nothing against what it says, and nothing for it."
      case (.indeterminate, true):
        "Nothing shows that the document was changed. But something is missing, or not known here, so that it proves "
          + "less than it could. The points that begin with ‘Open’ say what."
      }
    // The first sign of a line is for terminals.
    let lines = report.lines
    return "<p><b>\(escaped(String((lines.first ?? "").dropFirst(2))))</b></p><p>\(escaped(meaning))</p>"
      + facts([
        ("File", name), ("SHA-256", hash), ("Checked", TimeText.printed(now)),
        ("Verdict, by ETSI EN 319 102-1", report.standing),
      ]) + list(report.faults.map(point))
  }

  private var signatures: [ConsentPaper.Section] {
    report.signatures.enumerated().map { place, one in
      var lines = [("Field", one.field), ("Verdict", standing(one))]
      lines.append(("Signer, by the certificate", one.signer))
      lines.append(("Vouched for by", one.identity == .trusted ? one.issuer : ""))
      lines.append(("SHA-256 of the certificate", one.fingerprint))
      lines.append(("Reason", one.reason))
      if let attested = one.attestedTime {
        let whether = one.isAuthorityTrusted ? "" : ", whom nobody vouches for"
        lines.append(("Time", "\(TimeText.printed(attested)), attested by \(one.authority)\(whether)"))
      } else if !one.claimedTime.isEmpty {
        lines.append(("Time", "\(one.claimedTime), by the signer’s own clock"))
      }
      lines.append(("Revocation", revocation(one)))
      lines.append(("Level of PAdES", one.level?.rawValue ?? ""))
      lines.append(("Covers", one.coversWholeFile ? "the whole file" : "the file as it was then"))
      let found = one.findings.map(point)
      let changes = one.changes.filter(\.isExpected).map { "Afterwards, as is permitted: \($0.description)" }
      let kind = one.kind == .documentTime ? "Time stamp" : "Signature"
      return .init(heading: "\(kind) \(place + 1)", markup: facts(lines) + list(found + changes))
    }
  }

  private func point(_ finding: Finding) -> String {
    "\(finding.verdict == .failed ? "Against it" : "Open"): \(finding.words)"
  }

  private func standing(_ one: SignatureReport) -> String {
    [one.verdict.rawValue, one.findings.first { $0.verdict == one.verdict }?.subindication.rawValue]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private func revocation(_ one: SignatureReport) -> String {
    switch one.revocation {
    case .good: "the file proves that no certificate was revoked when it counted"
    case .revoked: "a certificate was revoked"
    case .notChecked: "not checked: the file does not prove it, and nobody was asked"
    case .notApplicable: "nobody stands above the certificate who could revoke it"
    }
  }

  private var method: String {
    let words =
      "The program assent \(Version.current) checked the file by itself, without asking anybody and without a connection. "
      + "This page is not signed. Whoever doubts it checks the file again, with Assent or with another program that "
      + "knows PAdES: the SHA-256 above says which file it was."
    return "<p>\(escaped(words))</p>"
  }

  // MARK: Markup

  private func facts(_ lines: [(String, String)]) -> String {
    let rows = lines.filter { !$0.1.isEmpty }.map { name, value in
      "<tr><th>\(escaped(name))</th><td>\(escaped(value))</td></tr>"
    }
    return "<table><tbody>\(rows.joined())</tbody></table>"
  }

  private func list(_ points: [String]) -> String {
    points.isEmpty ? "" : "<ul>\(points.map { "<li>\(escaped($0))</li>" }.joined())</ul>"
  }

  private func escaped(_ text: String) -> String { MarkupText.escaped(ShownText.plain(text)) }
}
