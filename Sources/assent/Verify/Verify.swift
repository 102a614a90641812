internal import Base
internal import Sealing
internal import ServiceKit
internal import Storage

extension Command {
  /// Checks what somebody was handed, without a database and without a connection.
  static let verify = Command(
    "verify", "checks a sealed document, or a bundle of evidence, offline", settings: VerifySettings(),
    operands: "FILE.pdf | evidence FILE", count: 1...2
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
    say("✓ \(report.summary)")
  }

  private static func verifyDocument(_ path: String, _ settings: Settings<VerifySettings>) throws {
    var roots: [Certificate] = []
    if let trusted = settings[\.trust] {
      roots = Certificate.list(pem: try Files.read(trusted, limit: 1 << 20))
      if roots.isEmpty { throw VerifyProblem(description: "\(trusted) has no certificate in PEM") }
    }
    let report = DocumentVerifier(trusting: Trust(roots: roots), at: Clock.system.now)
      .verify(try Files.read(path, limit: 1 << 28))
    if settings[\.json] {
      say(report.json)
    } else {
      for line in report.lines { say(line) }
    }
    guard report.verdict == .valid else {
      throw VerifyProblem(description: "\(path) is not valid: \(report.verdict.rawValue)")
    }
  }
}

/// What `assent verify` can be told.
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
private struct VerifyProblem: Error, CustomStringConvertible {
  let description: String
}
