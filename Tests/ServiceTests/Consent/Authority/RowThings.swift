import AuthorityKit

// What calls are about.
extension Row {
  @Sendable static func person(_ actor: Actor, _ target: Target) -> Thing {
    Thing(study: .one(target.study), site: .one(target.site), subject: target.subject)
  }
  @Sendable static func personOfStudy(_ actor: Actor, _ target: Target) -> Thing {
    Thing(study: .one(target.study), subject: target.subject)
  }
  @Sendable static func assisted(_ actor: Actor, _ target: Target) -> Thing {
    var thing = person(actor, target)
    thing.assistant = target.assistant
    return thing
  }
  /// The caller says that they assist from here on.
  @Sendable static func assisting(_ actor: Actor, _ target: Target) -> Thing {
    var thing = person(actor, target)
    thing.assistant = actor.name
    return thing
  }
  @Sendable static func study(_ actor: Actor, _ target: Target) -> Thing { Thing(study: .one(target.study)) }
  @Sendable static func wholeStudy(_ actor: Actor, _ target: Target) -> Thing {
    Thing(study: .one(target.study), site: .every)
  }
  @Sendable static func site(_ actor: Actor, _ target: Target) -> Thing {
    Thing(study: .one(target.study), site: .one(target.site))
  }
  @Sendable static func tenant(_ actor: Actor, _ target: Target) -> Thing { Thing() }
  @Sendable static func wholeTenant(_ actor: Actor, _ target: Target) -> Thing { Thing(study: .every, site: .every) }

  static func signing(_ role: String) -> @Sendable (Actor, Target) -> Thing {
    { actor, target in
      var thing = person(actor, target)
      thing.signs = role
      return thing
    }
  }
}
