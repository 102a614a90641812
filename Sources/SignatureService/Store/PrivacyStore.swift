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

  /// Places a hold, or lifts those that the caller may lift.
  static func hold(
    _ subjectID: String, _ isHeld: Bool, by caller: Caller, reason: String, in transaction: Transaction
  ) throws {
    _ = try transaction.setHold(isHeld, on: try Subject.checked(subjectID), by: caller, reason: reason)
  }
}
