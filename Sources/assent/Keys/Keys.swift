internal import Base
internal import Bus
internal import RPC
internal import ServiceKit

extension Command {
  /// Makes keys for the bus, HTTP and seals, and edits the lists of keys that gateways accept. Gateways follow the
  /// files of these lists without a restart.
  static let keys = Command(
    "keys", "makes keys for the bus, HTTP and seals, and lists, allows and removes them", settings: KeysSettings(),
    operands: "ACTION", actions: actions, count: 1...3
  ) { settings in
    let action = settings.operands[0]
    switch (action, settings.operands.count) {
    case ("generate", 2): try generate(settings.operands[1])
    case ("list", 1): list(try KeyListFile.read(settings.keyListPath))
    case ("allow", 2): try allow(settings.operands[1], settings)
    case ("remove", 2): try remove(settings.operands[1], settings)
    case ("seal", 2):
      let (place, name) = (settings.operands[1], settings[\.sealName])
      if let tenant = settings[\.tenant] {
        try SealKeys.make(in: place, for: tenant, name: name)
      } else {
        try SealKeys.make(place, name: name)
      }
    case ("api", 2), ("api", 3): try APIKeys(settings).run(Array(settings.operands.dropFirst()))
    default: throw KeysError("'\(settings.operands.joined(separator: " "))' is not one of \(Self.forms)")
    }
  }

  private static let actions = [
    CommandAction("generate", "FILE", does: "makes a key pair for the bus, in a file that only its owner can read"),
    CommandAction("list", does: "lists the keys that gateways let in", settings: ["bus-key-list"]),
    CommandAction(
      "allow", "NAME", does: "lets a key in, for a gateway, a service or a client",
      settings: ["bus-key-list", "key", "key-file", "role", "tenant", "kind", "grants", "serves", "vouches"]),
    CommandAction("remove", "NAME", does: "lets a key in no more", settings: ["bus-key-list"]),
    CommandAction(
      "api create", "NAME", does: "makes an API key for HTTP and gRPC and shows it for the only time",
      settings: ["api-key-list", "tenant", "kind", "grants", "scopes", "expires"]),
    CommandAction("api list", does: "lists the API keys of the file", settings: ["api-key-list"]),
    CommandAction("api remove", "NAME", does: "removes an API key from the file", settings: ["api-key-list"]),
    CommandAction(
      "seal", "FILE", does: "makes a key for sealing documents while developing; with --tenant in the folder FILE",
      settings: ["seal-name", "tenant"]),
  ]

  private static let forms =
    "'generate FILE', 'list', 'allow NAME', 'remove NAME', 'api create NAME', 'api list', 'api remove NAME' and "
    + "'seal FILE'"

  private static func generate(_ path: String) throws {
    let keys = CurveKeyPair.generate()
    try Files.alone(with: path) { try KeyFile.write(keys, to: path) }
    say("✓ \(path)  keep it to its process; its public key is")
    say(keys.publicKey.text)
  }

  private static func list(_ list: KeyList) {
    let rows = list.entries.map { entry in
      let (grant, rights) = (entry.grant, entry.rights)
      return [
        entry.name, entry.role.rawValue, grant?.tenant ?? "", grant?.kind.word ?? "",
        grant?.roles.joined(separator: ",") ?? "", rights?.serving.words ?? "", rights?.vouching.rawValue ?? "",
        entry.publicKey.text,
      ]
    }
    let heading = ["name", "role", "tenant", "kind", "grants", "serves", "vouches", "public key"]
    say(TextTable(heading: heading, rows: rows).text)
  }

  private static func allow(_ name: String, _ settings: Settings<KeysSettings>) throws {
    let path = settings.keyListPath
    let key = try settings[\.key] ?? settings[\.keyFile].map { try KeyFile.read($0).publicKey }
    guard let key else { throw KeysError("--key is missing: the public key of \(name)") }
    let entry = KeyEntry(
      role: settings[\.role].role, publicKey: key, name: name, grant: try grant(settings), rights: rights(settings))
    let count = try Files.alone(with: path) {
      var list = Files.exists(path) ? try KeyListFile.read(path) : KeyList()
      try list.add(entry)
      try KeyListFile.write(list, to: path)
      return list.entries.count
    }
    say("✓ \(name) is let in; \(path) lists \(count == 1 ? "1 key" : "\(count) keys")")
  }

  private static func grant(_ settings: Settings<KeysSettings>) throws -> KeyEntry.Grant? {
    guard settings[\.role] == .client else { return nil }
    let kind = settings[\.kind].kind
    if settings[\.tenant] == nil, kind != .operator {
      throw KeysError("--tenant is missing: a client belongs to one")
    }
    return KeyEntry.Grant(tenant: settings[\.tenant] ?? "", kind: kind, roles: settings[\.grants])
  }

  private static func rights(_ settings: Settings<KeysSettings>) -> KeyRights? {
    guard settings[\.role] == .service else { return nil }
    return KeyRights(serving: .only(Set(settings[\.serves])), vouching: settings[\.vouches].vouching)
  }

  private static func remove(_ name: String, _ settings: Settings<KeysSettings>) throws {
    let path = settings.keyListPath
    try Files.alone(with: path) {
      var list = try KeyListFile.read(path)
      guard list.remove(named: name) else { throw KeysError("\(path) has no key named \(name)") }
      try KeyListFile.write(list, to: path)
    }
    say("✓ \(name) is no longer let in; its connections end at once")
  }
}

extension KeyRights.Serving {
  fileprivate var words: String {
    switch self {
    case .any: "any"
    case .only(let services): services.sorted().joined(separator: ",")
    }
  }
}

struct KeysError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
