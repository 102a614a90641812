package import RPC

/// Somebody who calls, as the test knows them.
package struct Actor: Sendable {
  package let name: String
  package let kind: CallerKind
  package let tenant: String
  package var grants: [String]

  package init(
    name: String, kind: CallerKind = .person, tenant: String = "t1", grants: [String] = []
  ) {
    (self.name, self.kind, self.tenant, self.grants) = (name, kind, tenant, grants)
  }

  package var identity: CallerIdentity {
    CallerIdentity(
      kind: kind, tenant: tenant, subject: name, device: kind == .device ? name : "", grants: grants)
  }

  package var description: String { "\(kind.word) \(name)@\(tenant) \(grants)" }
}

/// What a call is about, as the test sees it.
package struct Thing: Sendable, Hashable {
  package enum Level: Sendable, Hashable {
    case none
    case one(String)
    case every
  }

  package var study: Level
  package var site: Level
  package var subject: String?
  /// The role in which the call signs.
  package var signs: String?
  /// Who assists in the session.
  package var assistant: String?
  /// The device that holds the thing itself, where the service knows it; nil: wherever the person's sessions are held.
  package var holder: String?
  /// It is only made by the call.
  package var isNew = false
  /// Nothing stored is used: only what came with the request.
  package var isRequest = false

  package init(study: Level = .none, site: Level = .none, subject: String? = nil) {
    (self.study, self.site, self.subject) = (study, site, subject)
  }
}

/// What is on record about people.
package struct Facts: Sendable {
  package struct Stay: Sendable, Hashable {
    let person: String
    let study: String
    let site: String

    package init(person: String, study: String, site: String) {
      (self.person, self.study, self.site) = (person, study, site)
    }
  }

  package struct Bond: Sendable, Hashable {
    let who: String
    let subject: String
    let study: String

    package init(who: String, subject: String, study: String) {
      (self.who, self.subject, self.study) = (who, subject, study)
    }
  }

  package var stays: Set<Stay> = []
  package var guardians: Set<Bond> = []
  package var devices: Set<Bond> = []

  package init() {}
}

/// The test's own reading of the permissions: it first works out all capacities in which somebody faces a thing, and
/// then looks whether a rule asks for one of them.
package struct Model {
  private let rules: [String: [PermissionTable.Rule]]
  package var facts: Facts

  package init(rules: [String: [PermissionTable.Rule]], facts: Facts) {
    (self.rules, self.facts) = (rules, facts)
  }

  private struct Capacity: Hashable {
    let role: String
    /// The places at which the role is held for the thing; nil for roles that are not granted.
    let places: Set<String>?
    let relations: Set<String>
  }

  package func may(_ actor: Actor, _ method: String, _ thing: Thing) -> Bool {
    let held = capacities(of: actor, facing: thing)
    for rule in rules[method] ?? [] {
      for capacity in held where rule.roles.contains(capacity.role) {
        if let signs = thing.signs, signs != capacity.role { continue }
        if thing.isRequest { return true }
        if !rule.place.isEmpty, let places = capacity.places, !places.contains(rule.place) { continue }
        if !rule.relation.isEmpty, !capacity.relations.contains(rule.relation) { continue }
        return true
      }
    }
    return false
  }

  private func capacities(of actor: Actor, facing thing: Thing) -> [Capacity] {
    var found = [Capacity(role: "PUBLIC", places: nil, relations: [])]
    switch actor.kind {
    case .stranger: break
    case .operator: found.append(Capacity(role: "OPERATOR", places: nil, relations: []))
    case .service: found.append(Capacity(role: "SERVICE", places: nil, relations: []))
    case .device:
      let own = actor.grants.isEmpty ? ["SITE", "STUDY", "TENANT"] : places(of: actor, as: "device", for: thing)
      found.append(
        Capacity(
          role: "DEVICE", places: own,
          relations: holds(actor, thing) ? ["DEVICE_OF"] : []))
    case .person: found += capacities(ofPerson: actor, facing: thing)
    }
    return found
  }

  private func capacities(ofPerson actor: Actor, facing thing: Thing) -> [Capacity] {
    var found: [Capacity] = []
    let isSelf = thing.subject == actor.name
    for role in ["witness", "investigator", "coordinator", "inspector", "publisher", "admin"] {
      let held = places(of: actor, as: role, for: thing)
      guard !held.isEmpty || thing.isRequest && actor.grants.contains(where: { $0.hasPrefix("\(role)@") }) else {
        continue
      }
      var relations: Set<String> = isSelf ? ["SELF"] : []
      if thing.signs == role.uppercased() { relations.insert("ASSIGNED") }
      if thing.assistant == actor.name, !isSelf, thing.subject != nil { relations.insert("ASSISTING") }
      found.append(Capacity(role: role.uppercased(), places: held, relations: relations))
    }
    if thing.subject == nil {
      let own = facts.stays.filter { $0.person == actor.name }
      let wards = facts.guardians.filter { $0.who == actor.name }
      let ofWards = wards.flatMap { bond in
        facts.stays.filter { $0.person == bond.subject && $0.study == bond.study }
      }
      if thing.isRequest || own.contains(where: { lies($0, in: thing) }) {
        found.append(Capacity(role: "PARTICIPANT", places: nil, relations: ["SELF"]))
      }
      if thing.isRequest || ofWards.contains(where: { lies($0, in: thing) }) {
        found.append(Capacity(role: "GUARDIAN", places: nil, relations: ["SELF", "GUARDIAN_OF"]))
      }
    } else {
      found.append(Capacity(role: "PARTICIPANT", places: nil, relations: isSelf ? ["SELF"] : []))
      var relations: Set<String> = isSelf ? ["SELF"] : []
      if !isSelf, has(facts.guardians, actor, thing) { relations.insert("GUARDIAN_OF") }
      found.append(Capacity(role: "GUARDIAN", places: nil, relations: relations))
    }
    return found
  }

  private func holds(_ actor: Actor, _ thing: Thing) -> Bool {
    thing.isNew || thing.holder.map { $0 == actor.name } ?? has(facts.devices, actor, thing)
  }

  private func has(_ bonds: Set<Facts.Bond>, _ actor: Actor, _ thing: Thing) -> Bool {
    guard let subject = thing.subject, case .one(let study) = thing.study else { return false }
    return bonds.contains(Facts.Bond(who: actor.name, subject: subject, study: study))
  }

  private func lies(_ stay: Facts.Stay, in thing: Thing) -> Bool {
    let studyFits =
      switch thing.study {
      case .none: true
      case .one(let study): study == stay.study
      case .every: false
      }
    let siteFits =
      switch thing.site {
      case .none: true
      case .one(let site): site == stay.site
      case .every: false
      }
    return studyFits && siteFits
  }

  /// The places at which a role counts for a thing.
  private func places(of actor: Actor, as role: String, for thing: Thing) -> Set<String> {
    var found: Set<String> = []
    for grant in actor.grants where grant.hasPrefix("\(role)@") {
      let place = String(grant.dropFirst(role.count + 1))
      if place == "*" {
        found.formUnion(["TENANT", "STUDY", "SITE"])
        continue
      }
      let names = place.split(separator: "/").map(String.init)
      guard thing.study == .none || thing.study == .one(names[0]) else { continue }
      if names.count == 1 {
        found.formUnion(["STUDY", "SITE"])
      } else if thing.site == .none || thing.site == .one(names[1]) {
        found.insert("SITE")
      }
    }
    return found
  }
}
