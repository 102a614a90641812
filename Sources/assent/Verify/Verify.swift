internal import Base
internal import Documents
internal import Sealing
internal import ServiceKit
internal import Storage

extension Command {
  /// Checks a file that somebody was handed, without a database and without a connection.
  static let verify = Command(
    "verify", "checks a sealed document, or a bundle of evidence, offline", settings: VerifySettings(),
    operands: "FILE.pdf | evidence FILE", count: 1...2, notes: VerifyProblem.notes
  ) { settings in
    switch (settings.operands.count, settings.operands[0]) {
    case (2, "evidence"): try verifyEvidence(settings.operands[1], settings)
    case (1, let path) where path != "evidence": try verifyDocument(path, settings)
    default: throw VerifyProblem(description: "say: FILE.pdf, or: evidence FILE")
    }
  }

  private static func verifyEvidence(_ path: String, _ settings: Settings<VerifySettings>) throws {
    guard let trusted = settings[\.publicKey] else {
      throw VerifyProblem(description: "--public-key is missing: the file with the public keys to trust")
    }
    let keys = try VerifyingKey.list(String(decoding: try Files.read(trusted, limit: 1 << 16), as: UTF8.self))
    let report = EvidenceVerifier(trusting: keys).verify(try Files.read(path, limit: 1 << 28))
    for problem in report.problems { say("✗ \(problem)") }
    guard report.isValid else { throw VerifyProblem(description: report.summary) }
    for line in report.lines { say(line) }
  }

  private static func verifyDocument(_ path: String, _ settings: Settings<VerifySettings>) throws {
    var roots: [Certificate] = []
    if let trusted = settings[\.trust] {
      roots = Certificate.list(pem: try Files.read(trusted, limit: 1 << 20))
      if roots.isEmpty { throw VerifyProblem(description: "\(trusted) has no certificate in PEM") }
    }
    let clock = Clock.system
    let end = clock.monotonic + patience
    let (pdf, now) = (try Files.read(path, limit: 1 << 28), clock.now)
    let report = DocumentVerifier(trusting: Trust(roots: roots), at: now).verify(pdf) { clock.monotonic > end }
    if let wanted = settings[\.report] {
      try Files.write(try written(report, of: pdf, named: path, at: now, as: wanted, settings), to: wanted)
    }
    if settings[\.json] {
      say(report.json)
    } else {
      for line in report.lines { say(line) }
    }
    guard report.verdict == .passed else {
      let hint = report.subindication == .noChain ? "; --trust FILE names whom to trust" : ""
      throw VerifyProblem(
        description: "\(path): \(report.standing)\(hint)", exitCode: VerifyProblem.status(of: report.verdict))
    }
  }

  /// The report as a file, of the kind that its name says.
  private static func written(
    _ report: DocumentReport, of pdf: [UInt8], named path: String, at now: Instant, as file: String,
    _ settings: Settings<VerifySettings>
  ) throws -> [UInt8] {
    switch file.split(separator: ".").last?.lowercased() {
    case "xml": return report.validationReport(of: pdf, at: now)
    case "pdf":
      let paper = ReportPaper(report, of: pdf, named: path, at: now).paper
      do throws(DocumentError) {
        return try PaperComposer(fonts: FontFolder(settings[\.fonts])).compose(paper)
      } catch {
        throw VerifyProblem(description: "the report cannot be laid out: \(error)")
      }
    default: throw VerifyProblem(description: "--report \(file): a report is a file named .xml or .pdf")
    }
  }

  /// How long one file may take. A large one takes a second or two.
  private static let patience = Duration.seconds(120)
}

/// The settings of `assent verify`.
struct VerifySettings: SettingGroup {
  let publicKey = Setting<String?>(
    "public-key", default: nil, shown: "FILE",
    "for evidence: the public keys to trust, 64 hexadecimal digits or name+id+key a line")
  let trust = Setting<String?>(
    "trust", default: nil, shown: "FILE",
    "for documents: the certificates to trust, in PEM; those that sign, or those that issued them")
  let json = Setting<Bool>("json", default: false, "for documents: the answer as JSON")
  let report = Setting<String?>(
    "report", default: nil, shown: "FILE",
    "for documents: a report to write besides, as .xml by ETSI TS 119 102-2, or as a page, .pdf")
  let fonts = Setting(
    "fonts", default: OwnProgram.companion("share/fonts") ?? FontFolder.usual, shown: "FOLDER",
    "the folder with the fonts of a report's page")
}

/// Why `assent verify` does not vouch for a file.
private struct VerifyProblem: ExitStatus, CustomStringConvertible {
  let description: String
  var exitCode: Int32 = 1

  static func status(of verdict: Verdict) -> Int32 {
    switch verdict {
    case .passed: 0
    case .failed: 3
    case .indeterminate: 4
    }
  }

  static let notes = [
    "ends with 0 for what is valid (documents: TOTAL-PASSED), and for documents otherwise with",
    "  3   TOTAL-FAILED: the bytes that were signed are not these, or somebody forbade what was done to them",
    "  4   INDETERMINATE: nothing speaks against it, and something is missing or not known, which is named:",
    "      who signed, or when; a signature at all; a file that can be read",
    "  1   anything else, such as a file that is not there, or evidence that is not valid",
    "  2   a command line that is not understood",
  ]
}
