internal import RPC
public import Storage

// Holds of ConsentService stand in the other services as well, so that nobody erases there what is held here.

extension Transaction {
  /// Places a legal hold on a subject, or lifts those that the caller may lift. False when there was nothing to do.
  ///
  /// What a service holds on its own account only that service lifts: an administrator lifts such a hold where it was
  /// placed.
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

  /// Lets the holds on each identifier of one person stand on all of them.
  ///
  /// - Parameter ofServices: only those that services have placed, where what an administrator holds is one account.
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

  fileprivate var isService: Bool { kind == .service }

  /// The name on record of whoever placed a hold.
  fileprivate var holdName: String { isService ? Self.servicePrefix + actor : actor }
}
