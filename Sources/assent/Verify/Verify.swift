internal import Base
internal import ServiceKit
internal import Storage

extension Command {
  /// Checks what somebody was handed, without a database and without a connection.
  static let verify = Command(
    "verify", "checks a bundle of evidence offline, with nothing but the public key", settings: VerifySettings(),
    operands: "evidence FILE", count: 2...2
  ) { settings in
    guard settings.operands.first == "evidence", let path = settings.operands.last else {
      throw VerifyProblem(description: "say: evidence FILE")
    }
    let keys = try VerifyingKey.list(
      String(decoding: try Files.read(settings[\.publicKey], limit: 1 << 16), as: UTF8.self))
    let report = EvidenceVerifier(trusting: keys).verify(try Files.read(path, limit: 1 << 28))
    for problem in report.problems { say("✗ \(problem)") }
    guard report.isValid else { throw VerifyProblem(description: report.summary) }
    say("✓ \(report.summary)")
  }
}

/// What `assent verify` can be told.
struct VerifySettings: SettingGroup {
  let publicKey = Setting<String>(
    required: "public-key", shown: "FILE", "the public keys to trust, 64 hexadecimal digits or name+id+key a line")
}

/// Why `assent verify` does not vouch for a file.
private struct VerifyProblem: Error, CustomStringConvertible {
  let description: String
}
