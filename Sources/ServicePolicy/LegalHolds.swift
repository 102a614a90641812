internal import RPC
public import Storage

// ConsentService also places its legal holds in the other services, so that nobody erases there what it has to keep.

extension Transaction {
  /// Places a legal hold on a subject, or lifts the holds that the caller may lift. Returns false if there was nothing
  /// to do.
  ///
  /// A hold that a service placed is lifted only by that service: an administrator has to lift it in that service.
  public func setHold(_ isHeld: Bool, on subject: Subject, by caller: Caller, reason: String) throws -> Bool {
    let holds = try vault.holdsAsFarAsKnown(on: subject)
    let own = holds.filter { $0.placedBy == caller.holdName || !caller.isService && !$0.isOfService }
    if isHeld {
      guard !own.contains(where: { $0.reason == reason }) else { return false }
      _ = try vault.placeHold(on: subject, by: caller.holdName, reason: reason)
      return true
    }
    for hold in own { try vault.liftHold(hold.id, by: caller.actor, reason: reason) }
    if own.isEmpty, !caller.isService, let hold = holds.first {
      let message = "the hold on subject '\(subject.id)' was placed by \(hold.placedBy); lift it there"
      throw Refusal(.precondition, "held_elsewhere", field: "held", message)
    }
    return !own.isEmpty
  }

  /// Copies the holds on each of a person's identifiers to all the others that are not erased.
  ///
  /// - Parameter ofServices: whether only holds placed by services are copied. For a service whose administrators hold
  ///   a single account.
  public func shareHolds(among names: [Subject], ofServices: Bool = false) throws {
    let standing = try names.filter { try !vault.isErased($0) }
    for (one, other) in standing.flatMap({ one in standing.map { (one, $0) } }) where one != other {
      let known = try vault.holdsAsFarAsKnown(on: other)
      for hold in try vault.holdsAsFarAsKnown(on: one) where hold.isOfService || !ofServices {
        if known.contains(where: { $0.placedBy == hold.placedBy && $0.reason == hold.reason }) { continue }
        _ = try vault.placeHold(on: other, by: hold.placedBy, reason: hold.reason)
      }
    }
  }
}

extension LegalHold {
  fileprivate var isOfService: Bool { placedBy.hasPrefix(Caller.servicePrefix) }
}

extension Caller {
  /// No person's identifier has a slash.
  fileprivate static let servicePrefix = "service/"

  /// The caller's name as a hold records it.
  fileprivate var holdName: String { isService ? Self.servicePrefix + actor : actor }
}
