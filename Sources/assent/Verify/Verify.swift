internal import Base
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
    let report = DocumentVerifier(trusting: Trust(roots: roots), at: clock.now)
      .verify(try Files.read(path, limit: 1 << 28)) { clock.monotonic > end }
    if settings[\.json] {
      say(report.json)
    } else {
      for line in report.lines { say(line) }
    }
    guard report.verdict == .valid else {
      throw VerifyProblem(
        description: "\(path) is not valid: \(report.verdict.rawValue)",
        exitCode: VerifyProblem.status(of: report.verdict))
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
}

/// Why `assent verify` does not vouch for a file.
private struct VerifyProblem: ExitStatus, CustomStringConvertible {
  let description: String
  var exitCode: Int32 = 1

  static func status(of verdict: DocumentReport.Verdict) -> Int32 {
    switch verdict {
    case .valid: 0
    case .invalid: 3
    case .unknownSigner: 4
    case .unsigned: 5
    case .unreadable: 6
    }
  }

  static let notes = [
    "ends with 0 for what is valid, and for documents otherwise with",
    "  3   invalid: a signature is broken, or the document was changed after it",
    "  4   unknown_signer: unchanged, but nobody trusted vouches for who signed, or when",
    "  5   unsigned",
    "  6   unreadable: no PDF file that could be understood whole, or one that takes too much work",
    "  1   anything else, such as a file that is not there, or evidence that is not valid",
    "  2   a command line that is not understood",
  ]
}
