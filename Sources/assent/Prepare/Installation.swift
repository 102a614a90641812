internal import Base
internal import Bus
internal import Face
internal import RPC
internal import Sealing
internal import Storage

/// The secrets and settings of an installation whose processes run in containers: a folder for each role, so that a
/// container is given what its role needs and nothing else.
///
/// What exists is kept, so that a start that was interrupted is completed by the next one, and none replaces a key.
struct Installation {
  let root: String
  /// Where a role's folder appears in its containers.
  let mount: String
  let databaseHost: String
  let randomness: Randomness

  /// Services with a database, which dial the gateways with a key of their own.
  static let services = ["consent", "signature", "account"]

  /// The rights of a service's bus key: to serve the service's own contract, and to make calls in the names of those
  /// for whom it has to speak. AccountService replays what people did without a connection, as these people.
  private static func rights(of service: String) -> KeyRights {
    switch service {
    case "consent":
      KeyRights(
        serving: .only(names("consent", ["Study", "Document", "Flow", "Session", "Record", "Webhook"])),
        vouching: .tenants)
    case "signature":
      KeyRights(serving: .only(names("signature", ["Signature", "Render", "Paper"])), vouching: .tenants)
    // This process has the seal's key and gets only hashes, so it may serve nothing else and speak for nobody.
    case "seal": KeyRights(serving: .only(names("signature", ["Seal"])), vouching: .nobody)
    default:
      KeyRights(
        serving: .only(
          names("account", ["Device", "People", "SignIn", "Sync", "View", "AccountAdmin", "Tenant", "ApiKey"])),
        vouching: .anybody)
    }
  }

  private static func names(_ package: String, _ services: [String]) -> Set<String> {
    Set(services.map { "assent.\(package).v1.\($0)Service" })
  }

  func prepare() throws {
    for role in ["gateway", "operator", "database", "seal"] + Self.services {
      try Files.makeFolder(folder(role), mode: 0o700)
    }
    let gateway = try busKey(of: "gateway")
    try Files.alone(with: keyList) { try allowAll() }
    let apiKeys = "\(folder("gateway"))/api-keys"
    try Files.alone(with: apiKeys) {
      if !Files.exists(apiKeys) { try APIKeyListFile.write(APIKeyList(), to: apiKeys) }
    }
    try write(
      ["status", "call", "tenants"], in: "operator",
      ["bus-key-file = \(mount)/bus.key", "gateway-key = \"\(gateway.publicKey.text)\""])
    try write(
      ["gateway"], in: "gateway",
      ["bus-key-file = \(mount)/bus.key", "bus-key-list = \(mount)/bus-keys", "api-key-list = \(mount)/api-keys"])
    for service in Self.services { try prepare(service, gateway: gateway.publicKey) }
    try prepareSeal(gateway: gateway.publicKey)
    try prepareDatabase()
  }

  private func prepare(_ service: String, gateway: CurvePublicKey) throws {
    let password = try secret("\(folder(service))/database.password") { Hex.encode(randomness.bytes(24)) }
    let url = "postgresql://\(service):\(password)@\(databaseHost)/\(service)"
    _ = try secret("\(folder(service))/database.url") { url }
    _ = try secret("\(folder(service))/master.key") { MasterKeys.newKeyText(randomness: randomness) }
    var lines = [
      "bus-key-file = \(mount)/bus.key", "gateway-key = \"\(gateway.text)\"",
      "database-url-file = \(mount)/database.url", "master-key-file = \(mount)/master.key",
      "evidence-key-file = \(mount)/evidence.key",
    ]
    if service == "signature" { lines.append("seal-trust = \(mount)/seal.crt") }
    let key = try EvidenceKey(
      text: secret("\(folder(service))/evidence.key") { EvidenceKey.newKeyText(randomness: randomness) })
    // The public key is all that somebody who checks evidence needs.
    try Files.write(Array("\(key.publicText)\n".utf8), to: "\(folder("operator"))/\(service).evidence.pub", mode: 0o644)
    try write([service], in: service, lines)
  }

  /// Makes the key that seals documents, for development. Operators replace it by another one of the same name.
  private func prepareSeal(gateway: CurvePublicKey) throws {
    let path = "\(folder("seal"))/seal.key"
    try Files.makeSecret(path) {
      let key = try SealKeys.development(named: "Assent")
      return key.pem + key.certificate.pem
    }
    // Those who check documents need only the certificate, and no key.
    if let own = Certificate.list(pem: try Files.readPrivate(path)).first {
      for role in ["operator", "signature"] { try SealKeys.add(own, to: "\(folder(role))/seal.crt") }
    }
    try write(
      ["signature"], in: "seal",
      [
        "bus-key-file = \(mount)/bus.key", "gateway-key = \"\(gateway.text)\"", "seal-only = yes",
        "seal-key-file = \(mount)/seal.key",
      ])
  }

  /// The superuser's password, and the statements that give each service a role and a database of its own.
  private func prepareDatabase() throws {
    let password = try secret("\(folder("database"))/password") { Hex.encode(randomness.bytes(24)) }
    try replace("\(folder("database"))/pgpass", by: "\(databaseHost):5432:*:postgres:\(password)\n")
    let statements = try Self.services.map { service in
      DatabaseRoles.statements(
        for: service, password: try secret("\(folder(service))/database.password") { Hex.encode(randomness.bytes(24)) })
    }
    try replace("\(folder("database"))/roles.sql", by: statements.joined(separator: "\n"))
  }

  private var keyList: String { "\(folder("gateway"))/bus-keys" }

  private func folder(_ role: String) -> String { "\(root)/\(role)" }

  /// Adds to the list of bus keys those of the installation's services and operator that it lacks.
  private func allowAll() throws {
    var list = Files.exists(keyList) ? try KeyListFile.read(keyList) : KeyList()
    for service in Self.services + ["seal"] { try allow(service, in: &list) }
    let operatorKey = try busKey(of: "operator").publicKey
    if !list.entries.contains(where: { $0.publicKey == operatorKey }) {
      try list.add(KeyEntry(role: .client, publicKey: operatorKey, name: "operator", grant: .operator))
    }
    try KeyListFile.write(list, to: keyList)
  }

  /// Adds a role's key to the list. A key that is listed already keeps its name and rights, and may serve in addition
  /// what this version's service serves.
  private func allow(_ role: String, in list: inout KeyList) throws {
    let key = try busKey(of: role).publicKey
    let wanted = Self.rights(of: role)
    guard let existing = list.entries.first(where: { $0.publicKey == key }) else {
      try list.add(KeyEntry(role: .service, publicKey: key, name: role, rights: wanted))
      return
    }
    guard let rights = existing.rights, case .only(let services) = rights.serving,
      case .only(let needed) = wanted.serving, !services.isSuperset(of: needed)
    else { return }
    _ = list.remove(named: existing.name)
    let both = KeyRights(serving: .only(services.union(needed)), vouching: rights.vouching)
    try list.add(KeyEntry(role: .service, publicKey: key, name: existing.name, rights: both))
  }

  private func busKey(of role: String) throws -> CurveKeyPair {
    let path = "\(folder(role))/bus.key"
    if try !Files.isNamed(path) {
      try Files.alone(with: path) { if try !Files.isNamed(path) { try KeyFile.write(.generate(), to: path) } }
    }
    return try KeyFile.read(path)
  }

  /// The secret in a file. Makes a secret and the file if there is no file.
  private func secret(_ path: String, make: () -> String) throws -> String {
    try Files.makeSecret(path) { Array((make() + "\n").utf8) }
    let text = String(decoding: try Files.readPrivate(path), as: UTF8.self)
    return String(text.prefix { $0 != "\n" })
  }

  /// Writes the settings into the programs' own sections, so that other programs of the same container may read the
  /// file too.
  private func write(_ programs: [String], in role: String, _ lines: [String]) throws {
    let sections = programs.flatMap { ["[\($0)]"] + lines }
    let all = ["# Made by assent prepare. Settings in the environment precede these."] + sections
    try replace("\(folder(role))/settings", by: all.joined(separator: "\n") + "\n")
  }

  /// Writes a file that only its owner may read, and removes what an interrupted attempt left, which may have
  /// passwords.
  private func replace(_ path: String, by text: String) throws {
    try Files.alone(with: path) { try Files.write(Array(text.utf8), to: path, mode: 0o600) }
  }
}
