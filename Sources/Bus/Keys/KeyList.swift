/// The role of a key's holder on the bus.
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
  /// The tenant of a client and its access there. Other roles have neither.
  public let grant: Grant?

  public struct Grant: Hashable, Sendable {
    public let tenant: String
    /// `device`, `user` or `admin`: each includes those before it.
    public let access: MethodDescriptor.Access
    /// The holder's roles at studies or sites, each as `role@study`, `role@study/site` or `role@*`.
    public let roles: [String]

    public init(tenant: String, access: MethodDescriptor.Access, roles: [String] = []) {
      self.tenant = tenant
      self.access = access
      self.roles = roles
    }
  }

  public init(role: Role, publicKey: CurvePublicKey, name: String, grant: Grant? = nil) {
    self.role = role
    self.publicKey = publicKey
    self.name = name
    self.grant = grant
  }
}

/// The keys that a gateway lets in: a text file with one key a line.
///
///     # role     public key                                 attributes
///     service    rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7   name=consent-1
///     client     Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID   name=kiosk tenant=acme access=device
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
    if let grant = entry.grant {
      guard Self.isName(grant.tenant) else { throw .badName(grant.tenant) }
      if let role = grant.roles.first(where: { !Self.isStudyRole($0) }) { throw .badStudyRole(role) }
      guard Self.accessNames.contains(where: { $0.level == grant.access }) else {
        throw .unknownAccess("\(grant.access)")
      }
    }
    guard (entry.role == .client) == (entry.grant != nil) else { throw .grantMismatch(entry.role) }
    if let holder = entries.first(where: { $0.publicKey == entry.publicKey }) { throw .repeatedKey(of: holder.name) }
    if entries.contains(where: { $0.name == entry.name }) { throw .repeatedName(entry.name) }
    entries.append(entry)
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
      if let grant = entry.grant { text += " tenant=\(grant.tenant) access=\(grant.access)" }
      if let roles = entry.grant?.roles, !roles.isEmpty { text += " roles=\(roles.joined(separator: ","))" }
      text += "\n"
    }
  }

  static let accessNames: [(name: String, level: MethodDescriptor.Access)] = [
    ("device", .device), ("user", .user), ("admin", .admin),
  ]

  private static func entry(from fields: [String]) throws(KeyListError.Reason) -> KeyEntry {
    guard let role = KeyEntry.Role(rawValue: fields[0]) else { throw .unknownRole(fields[0]) }
    guard fields.count > 1, let key = CurvePublicKey(text: fields[1]) else { throw .badKey }
    var attributes: [String: String] = [:]
    for field in fields.dropFirst(2) {
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["name", "tenant", "access", "roles"].contains(parts[0]) else {
        throw .unknownAttribute(field)
      }
      guard attributes.updateValue(parts[1], forKey: parts[0]) == nil else { throw .repeatedAttribute(parts[0]) }
    }
    guard let name = attributes["name"] else { throw .missingAttribute("name") }
    guard role == .client else {
      guard attributes.count == 1 else { throw .grantMismatch(role) }
      return KeyEntry(role: role, publicKey: key, name: name)
    }
    guard let tenant = attributes["tenant"] else { throw .missingAttribute("tenant") }
    guard let accessText = attributes["access"] else { throw .missingAttribute("access") }
    guard let access = accessNames.first(where: { $0.name == accessText })?.level else {
      throw .unknownAccess(accessText)
    }
    let roles = attributes["roles"]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    return KeyEntry(role: role, publicKey: key, name: name, grant: .init(tenant: tenant, access: access, roles: roles))
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
