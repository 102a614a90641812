package import Base
internal import Bus
internal import RPC

/// The API keys that gateways accept: a text file with one key on a line.
///
///     # key         SHA-256 of the key   attributes
///     ak_1f0c93aa   9f86d081884c7d65…    name=app tenant=acme kind=device expires=2027-01-01T00:00:00Z
///     ak_77ab01c2   2c26b46b68ffc68f…    name=night-shift kind=operator
///
/// Blanks separate fields; a line that begins with `#` is a comment.
package struct APIKeyList: Equatable, Sendable {
  package private(set) var keys: [APIKey] = []

  package init() {}

  /// Reads a list; the error names the line.
  package init(parsing text: String) throws(APIKeyListError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
      guard let first = fields.first, !first.hasPrefix("#") else { continue }
      do throws(APIKeyListError) {
        try add(try Self.key(from: fields))
      } catch {
        throw APIKeyListError("line \(index + 1): \(error.description)")
      }
    }
  }

  /// Adds a key. Throws when the list already has its id or its name, or an attribute is malformed.
  package mutating func add(_ key: APIKey) throws(APIKeyListError) {
    guard Self.kinds.contains(key.kind) else { throw APIKeyListError(Self.wrongKind) }
    let isOperator = key.kind == .operator
    guard !isOperator || key.tenant.isEmpty && key.roles.isEmpty else {
      throw APIKeyListError("an operator is above all tenants: its key has neither a tenant nor roles")
    }
    for name in isOperator ? [key.name] : [key.name, key.tenant] where !Self.isName(name) {
      throw APIKeyListError("“\(name)” is no name: use 1 to 64 letters, digits, dots, dashes and underscores")
    }
    if let role = key.roles.first(where: { !Self.isRole($0) }) {
      throw APIKeyListError("“\(role)” is no role@study, role@study/site or role@*")
    }
    if let scope = key.scopes.first(where: { !Self.isScope($0) }) {
      throw APIKeyListError("“\(scope)” is no package.Service/Method or package.Service/*")
    }
    if keys.contains(where: { $0.id == key.id }) { throw APIKeyListError("\(key.id) is in the list already") }
    if keys.contains(where: { $0.name == key.name }) {
      throw APIKeyListError("the name “\(key.name)” is in the list already")
    }
    keys.append(key)
  }

  /// Removes the key of this name or id; false when there is none.
  package mutating func remove(_ name: String) -> Bool {
    let count = keys.count
    keys.removeAll { $0.name == name || $0.id == name }
    return keys.count < count
  }

  /// The text of the list, which `init(parsing:)` reads.
  package var text: String {
    keys.reduce(into: "# key         SHA-256 of the key, and what its holder may do\n") { text, key in
      text += "\(key.id)   \(key.hash.hex)   name=\(key.name)"
      if !key.tenant.isEmpty { text += " tenant=\(key.tenant)" }
      text += " kind=\(key.kind.word)"
      if !key.roles.isEmpty { text += " roles=\(key.roles.joined(separator: ","))" }
      if !key.scopes.isEmpty { text += " scopes=\(key.scopes.joined(separator: ","))" }
      if let expires = key.expires { text += " expires=\(TimeText.rfc3339(expires))" }
      text += "\n"
    }
  }

  private static let kinds: [CallerKind] = [.device, .person, .operator]
  private static let wrongKind = "kind must be device, person or operator"
  private static let attributes = ["name", "tenant", "kind", "roles", "scopes", "expires"]

  private static func key(from fields: [String]) throws(APIKeyListError) -> APIKey {
    guard fields[0].hasPrefix(APIKey.prefix) else { throw APIKeyListError("a key begins with \(APIKey.prefix)") }
    guard fields.count > 1, let hash = Digest(hex: fields[1]) else {
      throw APIKeyListError("the second field must be the key's SHA-256 in 64 hexadecimal digits")
    }
    var values: [String: String] = [:]
    for field in fields.dropFirst(2) {
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, attributes.contains(parts[0]) else {
        throw APIKeyListError("“\(field)” is none of \(attributes.map { "\($0)=…" }.joined(separator: ", "))")
      }
      guard values.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw APIKeyListError("\(parts[0]) is given twice")
      }
    }
    for name in ["name", "kind"] where values[name] == nil { throw APIKeyListError("\(name)=… is missing") }
    guard let kind = CallerKind(word: values["kind"] ?? ""), kinds.contains(kind) else {
      throw APIKeyListError(wrongKind)
    }
    if kind != .operator, values["tenant"] == nil { throw APIKeyListError("tenant=… is missing") }
    // An empty part stays, to be refused: without it, `scopes=,` would name none, and so allow every method.
    func list(_ name: String) -> [String] {
      values[name]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }
    return APIKey(
      id: fields[0], hash: hash, name: values["name"] ?? "", tenant: values["tenant"] ?? "", kind: kind,
      roles: list("roles"), scopes: list("scopes"), expires: try values["expires"].map(time))
  }

  package static func time(_ text: String) throws(APIKeyListError) -> Instant {
    guard let time = TimeText.timestamp(Array(text.utf8)) else {
      throw APIKeyListError("“\(text)” is no time such as 2027-01-01T00:00:00Z")
    }
    return Instant(millisecondsSince1970: time.seconds * 1000)
  }

  private static func isRole(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, isName(parts[0]) else { return false }
    let places = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts[1] == "*" || places.count <= 2 && places.allSatisfy(isName)
  }

  private static func isScope(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && isName(parts[0]) && (parts[1] == "*" || isName(parts[1]))
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}

/// What is wrong with a list of API keys.
package struct APIKeyListError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// The list on disk. It is replaced as a whole, so that a reader never sees half of one.
package enum APIKeyListFile {
  private static let limit = 4 << 20

  /// The list at `path`; an empty one when there is no file.
  package static func read(_ path: String) throws(APIKeyListError) -> APIKeyList {
    guard let status = FileStatus(of: path) else { return APIKeyList() }
    guard status.mode & 0o022 == 0 else {
      throw APIKeyListError("\(path) can be written by others: chmod 600 \(path)")
    }
    do {
      let text = String(decoding: try Files.read(path, limit: limit), as: UTF8.self)
      // The missing part of the last line may be an attribute that restricts its key.
      guard text.isEmpty || text.hasSuffix("\n") else {
        throw APIKeyListError("the last line has no end, so the file may be half written: end it with a line break")
      }
      return try APIKeyList(parsing: text)
    } catch {
      throw APIKeyListError("\(path), \(error)")
    }
  }

  package static func write(_ list: APIKeyList, to path: String) throws(APIKeyListError) {
    do throws(FileError) {
      try Files.write(Array(list.text.utf8), to: path, mode: 0o600)
    } catch {
      throw APIKeyListError(error.description)
    }
  }
}
