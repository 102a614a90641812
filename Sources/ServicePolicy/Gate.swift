internal import Base
internal import CommonContract
public import RPC
public import Storage

/// Checks a method's callers before they reach its data.
public struct Gate: Sendable {
  let caller: Caller
  let method: MethodDescriptor
  private let relations: @Sendable (Snapshot) -> any Relations

  init(_ context: CallContext, _ relations: @escaping @Sendable (Snapshot) -> any Relations) throws(Refusal) {
    caller = try Caller(context.identity)
    method = context.method
    self.relations = relations
  }

  var tenant: Tenant { caller.tenant }

  /// The caller's name, for a `Lookup` that depends on who calls: a person whose request names no subject asks about
  /// themselves.
  public var callerName: String { caller.actor }
  public var isPerson: Bool { caller.isPerson }
  /// The device that the call comes from; empty if unknown.
  public var callerDevice: String { caller.device }
  /// The session of a browser that came by a link; nil for every other caller.
  public var session: String? { caller.session }
  /// The field that is lent to the calling device; nil for every other caller.
  public var field: String? { caller.field }

  /// Whether the caller is admitted to all of these things. Lists use it to leave out the others.
  public func isOpen(to things: some AccessTargeted, _ snapshot: Snapshot) throws -> Bool {
    try isOpen(to: things, relations(snapshot))
  }

  /// Whether another method admits the caller to all of these things. Lists use it to leave out what nobody needs but
  /// callers of that method.
  public func isOpen(to things: some AccessTargeted, by method: MethodDescriptor, _ snapshot: Snapshot) throws -> Bool {
    try isOpen(to: things, by: method, relations(snapshot))
  }

  func isOpen(to things: some AccessTargeted, _ relations: some Relations) throws -> Bool {
    try isOpen(to: things, by: method, relations)
  }

  private func isOpen(
    to things: some AccessTargeted, by method: MethodDescriptor, _ relations: some Relations
  ) throws -> Bool {
    let admission = Admission(method.permissions, caller)
    let touched = things.accessTargets
    return try !touched.isEmpty && touched.allSatisfy { try admission.admits(to: $0, relations) }
  }

  func opened<Thing: AccessTargeted>(_ find: ServiceDatabase.Lookup<Thing>, _ snapshot: Snapshot) throws -> Thing {
    let thing = try find(snapshot, self)
    guard try isOpen(to: thing, snapshot) else {
      throw NotAdmitted(refusal: refusal(for: thing), target: try known(thing.accessTargets.first, snapshot))
    }
    for subject in Set(thing.accessTargets.compactMap(\.subject)) {
      try snapshot.requireIntact(EventStream.subject(subject))
    }
    return thing
  }

  /// The caller, as the handler's body gets it. The accounts that were merged into the caller's are looked up only if
  /// the call is about a person of another name.
  func caller(of thing: some AccessTargeted, _ snapshot: Snapshot) throws -> Caller {
    let others = thing.accessTargets.contains { $0.subject != nil && $0.subject != caller.actor }
    guard caller.isPerson, others else { return caller }
    var known = caller
    known.formerNames = Set(try relations(snapshot).accounts(mergedInto: caller.actor))
    return known
  }

  /// The role by which the method admits the caller to the first of these things.
  func capacity(for things: some AccessTargeted, _ snapshot: Snapshot) throws -> Role? {
    let admission = Admission(method.permissions, caller)
    return try things.accessTargets.first.flatMap { try admission.role(admittedTo: $0, relations(snapshot)) }
  }

  /// What a denied call was about, for an event: without its subject if nothing is on record of that person, since
  /// callers can invent names.
  private func known(_ target: AccessTarget?, _ snapshot: Snapshot) throws -> AccessTarget? {
    guard var target, let name = target.subject else { return target }
    let isKnown = try Subject(name).map { try snapshot.vault.knows($0) } ?? false
    if !isKnown { target.subject = nil }
    return target
  }

  /// The refusal for a caller who is not admitted. It names no person but the caller, so that it reveals nothing about
  /// others.
  private func refusal(for thing: some AccessTargeted) -> Refusal {
    let place = thing.accessTargets.first.map(\.placeWords) ?? "nowhere"
    let admitted = method.permissions.map(\.words).joined(separator: "; ")
    return Refusal(
      .denied, "not_admitted",
      "'\(caller.actor)' may not call \(method.name) \(place); it admits: \(admitted.isEmpty ? "nobody" : admitted)")
  }
}

/// Thrown inside a transaction when the caller is not admitted. `recordingDenials` records the attempt, then throws the
/// refusal.
struct NotAdmitted: Error {
  let refusal: Refusal
  let target: AccessTarget?
}

extension ServiceDatabase {
  /// Runs the part of a call that checks access. If it denies the call, the attempt is recorded as an event.
  func recordingDenials<Answer: Sendable>(
    _ gate: Gate, _ context: CallContext, _ body: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await body()
    } catch let denied as NotAdmitted {
      await recordDenial(of: denied.target, gate, context)
      throw denied.refusal
    } catch let refusal as Refusal {
      if refusal.kind == .denied { await recordDenial(of: nil, gate, context) }
      throw refusal
    }
  }

  /// Records an attempt that a handler refused by a rule about the person, as if the caller had not been admitted.
  public func recordAttempt(_ context: CallContext, at touched: AccessTarget?) async throws {
    await recordDenial(of: touched, try Gate(context, relations), context)
  }

  private func recordDenial(of touched: AccessTarget?, _ gate: Gate, _ context: CallContext) async {
    let attempt = TrailEntry(.denied, by: gate.caller, through: gate.method, to: touched)
    // The caller gets the refusal even if the event cannot be written; the attempt is then written with the counts.
    try? await access.write([], looks: [attempt], in: gate.tenant, within: context.patience)
  }
}

extension CallContext {
  /// The caller of a method that uses nothing but its request. Throws a refusal if the method does not admit them.
  public func admittedToRequest() throws(Refusal) -> Caller {
    let caller = try Caller(identity)
    guard Admission(method.permissions, caller).admitsToRequest else { throw notAdmitted }
    return caller
  }

  /// Checks the caller of a method that touches no single tenant, or the tenant that its request names. Only the kind
  /// of caller counts, and no grant. `readByKind` and `changeByKind` make the same check themselves.
  public func admittedByKind() throws(Refusal) {
    guard Admission.admits(identity.kind, method.permissions) else { throw notAdmitted }
  }

  private var notAdmitted: Refusal {
    let admitted = method.permissions.map(\.words).joined(separator: "; ")
    let name = identity.subject.isEmpty ? "unnamed" : identity.subject
    return Refusal(.denied, "not_admitted", "'\(name)' may not call \(method.name); it admits: \(admitted)")
  }
}

extension AccessTarget {
  fileprivate var placeWords: String {
    let who = subject == nil ? "" : "for this subject "
    switch (study, site) {
    case (.none, _): return who + "in this tenant"
    case (.all, _): return who + "for all studies"
    case (.one(let study), .none): return who + "in study '\(study.shortened)'"
    case (.one(let study), .all): return who + "for all sites of study '\(study.shortened)'"
    case (.one(let study), .one(let site)):
      return who + "at site '\(site.shortened)' of study '\(study.shortened)'"
    }
  }
}

extension MethodPermission {
  /// The permission in words for a message, such as `coordinator or inspector (site)`.
  fileprivate var words: String {
    let names = roles.map(\.rawValue).joined(separator: " or ")
    let conditions = [place.map { "\($0)" }, relation.map(\.words)].compactMap { $0 }
    return conditions.isEmpty ? names : "\(names) (\(conditions.joined(separator: ", ")))"
  }
}

extension MethodPermission.Relation {
  fileprivate var words: String {
    switch self {
    case .itself: "self"
    case .guardianOf: "guardian of"
    case .deviceOf: "device of"
    case .assigned: "assigned"
    case .assisting: "assisting"
    }
  }
}
