internal import Base
internal import Face
internal import RPC
internal import ServiceKit

/// Makes API keys, and edits the list that gateways follow without a restart.
struct APIKeys {
  private let settings: Settings<KeysSettings>

  init(_ settings: Settings<KeysSettings>) {
    self.settings = settings
  }

  private var path: String { settings.apiKeyListPath }

  func run(_ words: [String]) throws {
    switch (words[0], words.count) {
    case ("create", 2): try create(words[1])
    case ("list", 1): try list()
    case ("remove", 2): try remove(words[1])
    default:
      throw KeysError("'api \(words.joined(separator: " "))' is not 'api create NAME', 'api list' or 'api remove NAME'")
    }
  }

  private func create(_ name: String) throws {
    let kind = settings[\.kind].kind
    if settings[\.tenant] == nil, kind != .operator {
      throw KeysError("--tenant is missing: an API key belongs to one, unless it is an operator's")
    }
    try MethodNames.check(scopes: settings[\.scopes])
    let key = APIKey.generate()
    guard let id = APIKey.id(of: key) else { throw KeysError("a key could not be made") }
    let entry = APIKey(
      id: id, hash: APIKey.hash(of: key), name: name, tenant: settings[\.tenant] ?? "", kind: kind,
      roles: settings[\.grants], scopes: settings[\.scopes],
      expires: try settings[\.expires].map { try APIKeyList.time($0) })
    try Files.alone(with: path) {
      var list = try APIKeyListFile.read(path)
      try list.add(entry)
      try APIKeyListFile.write(list, to: path)
    }
    say("✓ \(name) may call over HTTP and gRPC; \(path) has the key's hash only, so keep the key:")
    say(key)
  }

  private func list() throws {
    try checkThatListExists()
    let rows = try APIKeyListFile.read(path).keys.map { key in
      [
        key.name, key.id, key.tenant, key.kind.word, key.roles.joined(separator: ","),
        key.scopes.joined(separator: ","), key.expires.map { TimeText.rfc3339($0) } ?? "",
      ]
    }
    say(TextTable(heading: ["name", "key", "tenant", "kind", "grants", "scopes", "expires"], rows: rows).text)
  }

  private func checkThatListExists() throws {
    guard !Files.exists(path) else { return }
    throw KeysError(
      "there is no file \(path): name another one with --data or --api-key-list; 'assent keys api create' makes it")
  }

  private func remove(_ name: String) throws {
    try checkThatListExists()
    try Files.alone(with: path) {
      var list = try APIKeyListFile.read(path)
      guard list.remove(name) else { throw KeysError("\(path) has no key named \(name)") }
      try APIKeyListFile.write(list, to: path)
    }
    say("✓ \(name) is no longer accepted")
  }
}
