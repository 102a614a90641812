internal import Base
internal import ServicePolicy
internal import Storage

/// Erasing signatures, and forbidding that.
enum PrivacyStore {
  /// The reason that was given may name the person, and nothing of the person's is left to keep it in: it is not stored.
  static func erase(_ subjectID: String, by actor: String, in transaction: Transaction) throws {
    let subject = try Subject.checked(subjectID)
    guard try transaction.vault.knows(subject) else { throw Refusal.notFound("subject", subjectID) }
    try transaction.vault.erase(subject, by: actor, reason: "request")
  }

  /// Places a hold, or lifts all holds.
  static func hold(
    _ subjectID: String, _ isHeld: Bool, by actor: String, reason: String, in transaction: Transaction
  ) throws {
    let subject = try Subject.checked(subjectID)
    let holds = try transaction.vault.holds(on: subject)
    if isHeld, holds.isEmpty { try transaction.vault.placeHold(on: subject, by: actor, reason: reason) }
    if !isHeld { for hold in holds { try transaction.vault.liftHold(hold.id, by: actor, reason: reason) } }
  }
}
