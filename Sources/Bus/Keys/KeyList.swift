public import RPC

/// A key of the list, and what its holder may do on the bus.
public struct KeyEntry: Hashable, Sendable {
  public enum Role: String, CaseIterable, Sendable {
    /// Runs gateways: services and clients expect its key at the other end.
    case gateway
    /// Serves calls, and makes calls of its own.
    case service
    /// Makes calls.
    case client
  }

  public let role: Role
  public let publicKey: CurvePublicKey
  /// The holder's name: unique in a list.
  public let name: String
  /// A client's tenant, kind and roles; nil for other roles.
  public let grant: Grant?
  /// What a service may serve, and for whom it may speak; nil for other roles.
  public let rights: KeyRights?

  public struct Grant: Hashable, Sendable {
    /// Empty for an operator, who is above all tenants.
    public let tenant: String
    /// `device`, `person` or `operator`.
    public let kind: CallerKind
    /// The holder's roles at studies or sites, each as `role@study`, `role@study/site` or `role@*`. A device's are the
    /// places to which it is bound, `device@study/site` for example; without any it is bound to its tenant alone.
    public let roles: [String]

    public init(tenant: String, kind: CallerKind, roles: [String] = []) {
      self.tenant = tenant
      self.kind = kind
      self.roles = roles
    }

    public static let `operator` = Grant(tenant: "", kind: .operator)
  }

  public init(
    role: Role, publicKey: CurvePublicKey, name: String, grant: Grant? = nil, rights: KeyRights? = nil
  ) {
    self.role = role
    self.publicKey = publicKey
    self.name = name
    self.grant = grant
    self.rights = rights
  }
}

/// The keys that a gateway lets in: a text file with one key a line.
///
///     # role     public key                                 attributes
///     service    rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7   name=render-1 serves=assent.signature.v1.RenderService
///     client     Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID   name=kiosk tenant=acme kind=device
///
/// Blanks separate fields; a line that begins with `#` is a comment.
public struct KeyList: Equatable, Sendable {
  public private(set) var entries: [KeyEntry]

  public init() {
    entries = []
  }

  /// Reads a list; the error names the line.
  public init(parsing text: String) throws(KeyListError) {
    entries = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
      guard let first = fields.first, !first.hasPrefix("#") else { continue }
      do throws(KeyListError.Reason) {
        try add(Self.entry(from: fields))
      } catch {
        throw KeyListError(line: index + 1, reason: error)
      }
    }
  }

  /// Adds a key, unless the list has the key or the name already.
  public mutating func add(_ entry: KeyEntry) throws(KeyListError.Reason) {
    guard Self.isName(entry.name) else { throw .badName(entry.name) }
    guard (entry.role == .client) == (entry.grant != nil) else { throw .grantMismatch(entry.role) }
    guard (entry.role == .service) == (entry.rights != nil) else { throw .grantMismatch(entry.role) }
    if let grant = entry.grant { try check(grant) }
    switch entry.rights?.serving {
    case .any: throw .badService("any")
    case .only(let services):
      if let service = services.sorted().first(where: { !Self.isServiceName($0) }) { throw .badService(service) }
    case nil: break
    }
    if let holder = entries.first(where: { $0.publicKey == entry.publicKey }) { throw .repeatedKey(of: holder.name) }
    if entries.contains(where: { $0.name == entry.name }) { throw .repeatedName(entry.name) }
    entries.append(entry)
  }

  private func check(_ grant: KeyEntry.Grant) throws(KeyListError.Reason) {
    guard Self.kinds.contains(grant.kind) else { throw .unknownKind(grant.kind.word) }
    guard grant.kind != .operator else {
      if !grant.tenant.isEmpty || !grant.roles.isEmpty { throw .operatorOfTenant }
      return
    }
    guard Self.isName(grant.tenant) else { throw .badName(grant.tenant) }
    for role in grant.roles {
      guard Self.isStudyRole(role) else { throw .badStudyRole(role) }
      // Otherwise a misspelt role would look like one that was granted, and a device with a misspelt place would be
      // bound to none.
      guard Self.word(of: role, counts: grant.kind) else { throw .uselessRole(role, grant.kind) }
    }
  }

  /// Whether a role counts for a key of this kind: for a person one that can be granted, for a device `device`, which
  /// binds it to a place.
  private static func word(of role: String, counts kind: CallerKind) -> Bool {
    let word = role.prefix { $0 != "@" }
    return kind == .device ? word == "device" : MethodPermission.Role.granted.contains { $0.rawValue == word }
  }

  /// Removes the key of that name; false when there is none.
  public mutating func remove(named name: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.name == name }
    return entries.count < count
  }

  /// The text of the list, which `init(parsing:)` reads.
  public var text: String {
    entries.reduce(into: "# role     public key                                 attributes\n") { text, entry in
      let role = entry.role.rawValue.padding(to: 10)
      text += "\(role) \(entry.publicKey)   name=\(entry.name)"
      if let grant = entry.grant {
        if !grant.tenant.isEmpty { text += " tenant=\(grant.tenant)" }
        text += " kind=\(grant.kind.word)"
        if !grant.roles.isEmpty { text += " roles=\(grant.roles.joined(separator: ","))" }
      }
      if let rights = entry.rights {
        if case .only(let services) = rights.serving, !services.isEmpty {
          text += " serves=\(services.sorted().joined(separator: ","))"
        }
        if rights.vouching != .nobody { text += " vouches=\(rights.vouching.rawValue)" }
      }
      text += "\n"
    }
  }

  /// The kinds of callers that a client's key can make.
  static let kinds: [CallerKind] = [.device, .person, .operator]

  private static func entry(from fields: [String]) throws(KeyListError.Reason) -> KeyEntry {
    guard let role = KeyEntry.Role(rawValue: fields[0]) else { throw .unknownRole(fields[0]) }
    guard fields.count > 1, let key = CurvePublicKey(text: fields[1]) else { throw .badKey }
    var attributes: [String: String] = [:]
    for field in fields.dropFirst(2) {
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, attributeNames.contains(parts[0]) else {
        throw .unknownAttribute(field)
      }
      guard attributes.updateValue(parts[1], forKey: parts[0]) == nil else { throw .repeatedAttribute(parts[0]) }
    }
    guard let name = attributes["name"] else { throw .missingAttribute("name") }
    let own = attributes.keys.filter { $0 != "name" }
    guard own.allSatisfy((Self.attributes[role] ?? []).contains) else { throw .grantMismatch(role) }
    switch role {
    case .gateway: return KeyEntry(role: role, publicKey: key, name: name)
    case .service: return KeyEntry(role: role, publicKey: key, name: name, rights: try rights(attributes))
    case .client: return KeyEntry(role: role, publicKey: key, name: name, grant: try grant(attributes))
    }
  }

  private static let attributes: [KeyEntry.Role: [String]] = [
    .client: ["tenant", "kind", "roles"], .service: ["serves", "vouches"],
  ]
  private static let attributeNames = ["name", "tenant", "kind", "roles", "serves", "vouches"]

  private static func grant(_ attributes: [String: String]) throws(KeyListError.Reason) -> KeyEntry.Grant {
    guard let word = attributes["kind"] else { throw .missingAttribute("kind") }
    guard let kind = kinds.first(where: { $0.word == word }) else { throw .unknownKind(word) }
    if kind != .operator, attributes["tenant"] == nil { throw .missingAttribute("tenant") }
    return KeyEntry.Grant(tenant: attributes["tenant"] ?? "", kind: kind, roles: list(attributes["roles"]))
  }

  private static func rights(_ attributes: [String: String]) throws(KeyListError.Reason) -> KeyRights {
    let word = attributes["vouches"] ?? KeyRights.Vouching.nobody.rawValue
    guard let vouching = KeyRights.Vouching(rawValue: word) else { throw .unknownVouching(word) }
    return KeyRights(serving: .only(Set(list(attributes["serves"]))), vouching: vouching)
  }

  private static func list(_ text: String?) -> [String] {
    text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// A full name such as `assent.signature.v1.RenderService`.
  private static func isServiceName(_ name: String) -> Bool {
    name.utf8.count <= 256
      && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
  }

  private static func isStudyRole(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, isName(parts[0]) else { return false }
    let places = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts[1] == "*" || places.count <= 2 && places.allSatisfy(isName)
  }

  /// Up to 64 letters, digits and `-_.`, which need no quoting anywhere.
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

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
