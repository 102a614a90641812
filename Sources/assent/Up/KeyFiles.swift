internal import Base
internal import ServiceKit
internal import Storage

/// A key of an installation on one machine. It is made once, and never replaced.
struct MadeKey {
  let path: String
  /// Whether it was made just now, so that the operator should make a copy of it.
  let isNew: Bool

  /// The file in the data folder; nil if the operator states which key to use, here or in a service's own section of the
  /// settings file, where only that service reads it.
  fileprivate static func prepared(
    _ name: String, given: Secret?, _ settings: Settings<UpSettings>, make: () -> String
  ) throws -> MadeKey? {
    if given != nil { return nil }
    if let file = settings.file, try names("\(name)-key-file", file) { return nil }
    let path = try Files.absolutePath("\(settings[\.data])/\(name).key")
    if Files.exists(path) { return MadeKey(path: path, isNew: false) }
    try Files.write(Array((make() + "\n").utf8), to: path, mode: 0o600)
    return MadeKey(path: path, isNew: true)
  }

  private static func names(_ setting: String, _ file: String) throws -> Bool {
    String(decoding: try Files.read(file, limit: 1 << 20), as: UTF8.self).split(separator: "\n").contains {
      $0.drop(while: \.isWhitespace).hasPrefix(setting)
    }
  }
}

/// The keys of an installation on one machine, each for the programs that need it.
struct KeyFiles {
  /// Wraps all other keys of personal data.
  let master: MadeKey?
  /// Signs the heads of the services' logs.
  let evidence: MadeKey?

  init(_ settings: Settings<UpSettings>, randomness: Randomness) throws {
    master = try .prepared("master", given: settings[\.masterKey], settings) {
      MasterKeys.newKeyText(randomness: randomness)
    }
    evidence = try .prepared("evidence", given: settings[\.evidenceKey], settings) {
      EvidenceKey.newKeyText(randomness: randomness)
    }
    guard let evidence else { return }
    // Checkers need this half alone, and it may be given to anybody.
    let key = try EvidenceKey(text: String(decoding: try Files.readPrivate(evidence.path), as: UTF8.self))
    try Files.write(Array("\(key.publicText)\n".utf8), to: publicPath(of: evidence), mode: 0o644)
  }

  private func publicPath(of key: MadeKey) -> String { key.path.dropLast(3) + "pub" }

  /// What to say of keys that were made just now.
  var lines: [String] {
    var lines: [String] = []
    if let master, master.isNew {
      lines.append(
        "✓ master key   \(master.path): keep a copy of it, for without it personal data cannot be read again")
    }
    if let evidence, evidence.isNew {
      lines.append("✓ evidence key \(evidence.path), and \(publicPath(of: evidence)) for whoever checks evidence")
    }
    return lines
  }

  /// The keys, for a program that keeps a database; for any other one, that there are none, whatever this process was
  /// given.
  func environment(_ settings: Settings<UpSettings>, for keepsData: Bool) -> [String: String?] {
    guard keepsData else {
      return [
        "ASSENT_MASTER_KEY": nil, "ASSENT_MASTER_KEY_FILE": nil, "ASSENT_EVIDENCE_KEY": nil,
        "ASSENT_EVIDENCE_KEY_FILE": nil,
      ]
    }
    return [
      "ASSENT_MASTER_KEY": settings[\.masterKey]?.reveal(), "ASSENT_MASTER_KEY_FILE": master?.path,
      "ASSENT_EVIDENCE_KEY": settings[\.evidenceKey]?.reveal(), "ASSENT_EVIDENCE_KEY_FILE": evidence?.path,
    ]
  }
}
