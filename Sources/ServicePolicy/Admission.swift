public import RPC

/// Decides whether a call is permitted, from the method's permissions, the verified caller and what the call touches.
/// Nothing else decides this.
///
/// It reads no clock and no database by itself, and knows no method and no service.
public struct Admission: Sendable {
  private let permissions: [MethodPermission]
  private let caller: Caller

  public init(_ permissions: [MethodPermission], _ caller: Caller) {
    self.permissions = permissions
    self.caller = caller
  }

  /// Whether one of the permissions admits the caller to what is touched.
  public func admits(to touched: AccessTarget, _ relations: some Relations) throws -> Bool {
    try role(admittedTo: touched, relations) != nil
  }

  /// The role by which one of the permissions admits the caller; nil if none does.
  public func role(admittedTo touched: AccessTarget, _ relations: some Relations) throws -> Role? {
    for permission in permissions {
      for role in permission.roles where touched.act == nil || touched.act == role {
        if try holds(role, permission, touched, relations) { return role }
      }
    }
    return nil
  }

  /// Whether one of the permissions admits the caller to a method that uses nothing but its request. Without stored
  /// data there is no place or person to check, so having the role is enough.
  public var admitsToRequest: Bool {
    permissions.contains { permission in
      permission.roles.contains { role in
        switch role {
        case .public: true
        case .participant, .guardian: caller.isPerson
        case .operator: caller.kind == .operator
        case .device: caller.kind == .device && caller.field == nil
        case .service: caller.kind == .service
        default: caller.isPerson && caller.grants.contains { $0.role == role.rawValue }
        }
      }
    }
  }

  /// Whether one of the permissions admits all callers of a kind, of any tenant or of none.
  static func admits(_ kind: CallerKind, _ permissions: [MethodPermission]) -> Bool {
    permissions.contains { permission in
      permission.roles.contains { role in
        switch role {
        case .public: true
        case .operator: kind == .operator
        case .service: kind == .service
        default: false
        }
      }
    }
  }

  private func holds(
    _ role: Role, _ permission: MethodPermission, _ touched: AccessTarget, _ relations: some Relations
  ) throws -> Bool {
    switch role {
    case .public: return true
    case .operator: return caller.kind == .operator
    case .service: return caller.kind == .service
    case .participant, .guardian:
      guard caller.isPerson else { return false }
      guard touched.subject != nil else { return try takesPart(as: role, touched, relations) }
    case .device:
      guard caller.kind == .device else { return false }
      if let field = caller.field { return touched.field == field && touched.holder == caller.actor }
      if let session = caller.session {
        guard touched != .tenant else { return true }
        return touched.session == session && touched.holder ?? caller.actor == caller.actor
      }
      if let place = permission.place, !caller.isDevice(at: place, for: touched) { return false }
    default:
      let place = permission.place ?? .tenant
      guard caller.has(role, at: place, for: touched) else { return false }
    }
    return try stands(in: permission.relation, as: role, touched, relations)
  }

  /// A thing of a study, such as a document, is open to the people who take part there, and to their guardians.
  private func takesPart(as role: Role, _ touched: AccessTarget, _ relations: some Relations) throws -> Bool {
    let takesPart = { (name: String) throws -> Bool in
      let places = try role == .participant ? relations.places(of: name) : relations.places(ofWardsOf: name)
      return places.contains { touched.study.includes($0.study) && touched.site.includes($0.site) }
    }
    return try takesPart(caller.actor) || former(relations).contains(where: takesPart)
  }

  private func stands(
    in relation: MethodPermission.Relation?, as role: Role, _ touched: AccessTarget, _ relations: some Relations
  ) throws -> Bool {
    guard let relation else { return true }
    if relation == .assigned { return touched.act == role }
    guard let subject = touched.subject else { return false }
    switch relation {
    case .itself: return try caller.isPerson && isCaller(subject, relations)
    case .guardianOf:
      guard try !isCaller(subject, relations) else { return false }
      return try study(of: touched, relations) { try relations.guardians(of: subject, in: $0) }
    case .deviceOf:
      if touched.isBeginning { return true }
      if let holder = touched.holder { return holder == caller.actor }
      return try study(of: touched, relations) { try relations.devices(of: subject, in: $0) }
    case .assisting: return try touched.assistant == caller.actor && !isCaller(subject, relations)
    case .assigned: return false
    }
  }

  private func study(
    of touched: AccessTarget, _ relations: some Relations, _ people: (String) throws -> Set<String>
  ) throws -> Bool {
    guard case .one(let study) = touched.study else { return false }
    let people = try people(study)
    guard !people.contains(caller.actor) else { return true }
    return try !people.isEmpty && caller.isPerson && !people.isDisjoint(with: former(relations))
  }

  /// Whether this is the caller, by the account of the call or by one that was merged into it.
  private func isCaller(_ subject: String, _ relations: some Relations) throws -> Bool {
    try caller.actor == subject || caller.isPerson && former(relations).contains(subject)
  }

  private func former(_ relations: some Relations) throws -> [String] {
    try relations.accounts(mergedInto: caller.actor)
  }
}
