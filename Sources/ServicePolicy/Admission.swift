public import Bus

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
  public func admits(to touched: Touched, _ relations: some Relations) throws -> Bool {
    try role(admittedTo: touched, relations) != nil
  }

  /// The role by which one of the permissions admits the caller; nil if none does.
  public func role(admittedTo touched: Touched, _ relations: some Relations) throws -> Role? {
    for permission in permissions {
      for role in permission.roles where touched.act == nil || touched.act == role {
        if try holds(role, permission, touched, relations) { return role }
      }
    }
    return nil
  }

  /// Whether one of the permissions admits the caller to what came with the request itself and touches nothing stored:
  /// there the role is enough.
  public var admitsToRequest: Bool {
    permissions.contains { permission in
      permission.roles.contains { role in
        switch role {
        case .public: true
        case .participant, .guardian: caller.isPerson
        case .operator: caller.kind == .operator
        case .device: caller.kind == .device
        case .service: caller.kind == .service
        default: caller.isPerson && caller.grants.contains { $0.role == role.rawValue }
        }
      }
    }
  }

  /// Whether one of the permissions admits callers of a kind, whichever tenant they belong to, if any.
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
    _ role: Role, _ permission: MethodPermission, _ touched: Touched, _ relations: some Relations
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
      if let place = permission.place, !caller.isDevice(at: place, for: touched) { return false }
    default:
      let place = permission.place ?? .tenant
      guard caller.has(role, at: place, for: touched) else { return false }
    }
    return try stands(in: permission.relation, as: role, touched, relations)
  }

  /// A thing of a study, such as a document, is open to the people who take part there, and to their guardians.
  private func takesPart(as role: Role, _ touched: Touched, _ relations: some Relations) throws -> Bool {
    let places =
      role == .participant
      ? try relations.places(of: caller.actor) : try relations.places(ofWardsOf: caller.actor)
    return places.contains { touched.study.includes($0.study) && touched.site.includes($0.site) }
  }

  private func stands(
    in relation: MethodPermission.Relation?, as role: Role, _ touched: Touched, _ relations: some Relations
  ) throws -> Bool {
    guard let relation else { return true }
    if relation == .assigned { return touched.act == role }
    guard let subject = touched.subject else { return false }
    switch relation {
    case .itself: return caller.isPerson && caller.actor == subject
    case .guardianOf:
      guard caller.actor != subject else { return false }
      return try study(of: touched) { try relations.guardians(of: subject, in: $0) }
    case .deviceOf:
      if touched.isBeginning { return true }
      if let holder = touched.holder { return holder == caller.actor }
      return try study(of: touched) { try relations.devices(of: subject, in: $0) }
    case .assisting: return caller.actor != subject && touched.assistant == caller.actor
    case .assigned: return false
    }
  }

  private func study(of touched: Touched, _ people: (String) throws -> Set<String>) throws -> Bool {
    guard case .one(let study) = touched.study else { return false }
    return try people(study).contains(caller.actor)
  }
}
