internal import Base
internal import Bus
internal import Sealing
internal import ServiceKit
internal import Storage

/// A key of an installation on one machine. It is made once, and never replaced.
struct MadeKey {
  let path: String
  /// Whether it was made just now, so that the operator should make a copy of it.
  let isNew: Bool

  /// The key's file in the data folder, which is made if it does not exist; nil if the operator states which key to
  /// use, here or for each of the programs.
  fileprivate static func prepared(
    _ name: String, setting: String? = nil, for programs: [String], isGiven: Bool, _ settings: Settings<UpSettings>,
    make: () throws -> String
  ) throws -> MadeKey? {
    if isGiven { return nil }
    let setting = setting ?? "\(name)-key-file"
    if try programs.allSatisfy({ try settings.fileNames(setting, for: $0) }) { return nil }
    let path = try Files.absolutePath("\(settings[\.data])/\(name).key")
    return MadeKey(path: path, isNew: try Files.makeSecret(path) { Array((try make() + "\n").utf8) })
  }
}

/// The keys of an installation on one machine, each for the programs that need it.
struct KeyFiles {
  /// Wraps all other keys of personal data.
  let master: MadeKey?
  /// Signs the heads of the services' logs.
  let evidence: MadeKey?
  /// Seals what gateways give browsers, and the addresses of files, so that each gateway opens what another has given,
  /// also after a start.
  let gateway: MadeKey?
  /// Seals documents: made for development, with a certificate that vouches for itself.
  let seal: MadeKey?

  init(_ settings: Settings<UpSettings>, randomness: Randomness) throws {
    let stores = ["consent", "signature", "account"]
    master = try .prepared("master", for: stores, isGiven: settings[\.masterKey] != nil, settings) {
      MasterKeys.newKeyText(randomness: randomness)
    }
    evidence = try .prepared("evidence", for: stores, isGiven: settings[\.evidenceKey] != nil, settings) {
      EvidenceKey.newKeyText(randomness: randomness)
    }
    let isGatewayGiven = Environment.current[SettingDescription.variable(for: "bus-key-file")] != nil
    gateway = try .prepared("gateway", setting: "bus-key-file", for: ["gateway"], isGiven: isGatewayGiven, settings) {
      KeyFile.text(of: .generate())
    }
    seal = try .prepared("seal", for: ["signature"], isGiven: settings[\.sealKeyFile] != nil, settings) {
      let key = try SealKeys.development(named: "Assent")
      return String(decoding: key.pem + key.certificate.pem, as: UTF8.self)
    }
    if let seal, let own = Certificate.list(pem: try Files.readPrivate(seal.path)).first {
      try SealKeys.add(own, to: certificatePath(of: seal))
    }
    guard let evidence else { return }
    // Those who check evidence need only the public key, which may be given to anybody.
    let key = try EvidenceKey(text: String(decoding: try Files.readPrivate(evidence.path), as: UTF8.self))
    try Files.write(Array("\(key.publicText)\n".utf8), to: publicPath(of: evidence), mode: 0o644)
  }

  /// The file with the key that evidence is verified with; nil where the services have it from elsewhere.
  var evidencePublic: String? { evidence.map(publicPath) }

  private func publicPath(of key: MadeKey) -> String { key.path.dropLast(3) + "pub" }

  private func certificatePath(of key: MadeKey) -> String { key.path.dropLast(3) + "crt" }

  /// The lines that tell the operator of keys that were made just now.
  var lines: [String] {
    var lines: [String] = []
    if let master, master.isNew {
      lines.append(
        "✓ master key   \(master.path): keep a copy of it, for without it personal data cannot be read again")
    }
    if let evidence, evidence.isNew {
      lines.append("✓ evidence key \(evidence.path), and \(publicPath(of: evidence)) for whoever checks evidence")
    }
    if let seal, seal.isNew {
      lines.append("✓ seal key     \(seal.path): self-signed, for development only; nobody else trusts what it seals")
      lines.append("               assent verify FILE.pdf --trust \(certificatePath(of: seal))")
    }
    return lines
  }

  /// The variables that give the program that seals its key, and that keep it from any other program.
  func sealEnvironment(_ settings: Settings<UpSettings>, for seals: Bool) -> [String: String?] {
    guard seals else {
      return [
        "ASSENT_SEAL_KEY_FILE": nil, "ASSENT_SEAL_PASSPHRASE": nil, "ASSENT_SEAL_PASSPHRASE_FILE": nil,
        "ASSENT_SEAL_CERTIFICATES_FILE": nil, "ASSENT_SEAL_KEY_FOLDER": nil,
      ]
    }
    return [
      "ASSENT_SEAL_KEY_FILE": settings[\.sealKeyFile] ?? seal?.path,
      "ASSENT_SEAL_KEY_FOLDER": settings[\.sealKeyFolder],
    ]
  }

  /// The variables that give the keys to a program with a database, and that keep them from any other program, whatever
  /// this process was given.
  func environment(_ settings: Settings<UpSettings>, keepsData: Bool) -> [String: String?] {
    guard keepsData else {
      return [
        "ASSENT_MASTER_KEY": nil, "ASSENT_MASTER_KEY_FILE": nil, "ASSENT_EVIDENCE_KEY": nil,
        "ASSENT_EVIDENCE_KEY_FILE": nil,
      ]
    }
    return [
      "ASSENT_MASTER_KEY": settings[\.masterKey]?.reveal(),
      "ASSENT_MASTER_KEY_FILE": master?.path,
      "ASSENT_EVIDENCE_KEY": settings[\.evidenceKey]?.reveal(),
      "ASSENT_EVIDENCE_KEY_FILE": evidence?.path,
    ]
  }
}
