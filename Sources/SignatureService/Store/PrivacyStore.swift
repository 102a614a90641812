internal import Base
internal import ServicePolicy
package import Storage

/// Erasing signatures, and forbidding that.
package enum PrivacyStore {
  /// The reason that was given may name the person, and nothing of the person's is left to keep it in: it is not
  /// stored.
  ///
  /// A service carries an erasure that was decided elsewhere: it counts for a subject who has not signed here, too, so
  /// that a device which was about to create a field is refused. A person who names nobody made a mistake.
  static func erase(_ subjectID: String, by caller: Caller, in transaction: Transaction) throws {
    let subject = try Subject.named(subjectID)
    guard try !caller.isPerson || transaction.vault.knows(subject) else {
      throw Refusal.notFound("subject", subjectID)
    }
    // From here on nobody makes a field: what was made before is among those of which the erasure is said.
    try transaction.vault.lock(subject)
    // This is noted also for a repeat: an earlier version erased and wrote no event.
    try FieldStore.noteErasure(of: subject, by: caller.actor, in: transaction)
    try transaction.vault.eraseAhead(of: subject, by: caller.actor, reason: "request")
  }

  /// Repeats the parts of an erasure outside of the vault, after a backup from before it was restored and the vault has
  /// erased again.
  package static func eraseAgain(_ transaction: Transaction, _ subject: Subject) throws {
    try FieldStore.noteRepeatedErasure(of: subject, in: transaction)
  }

  /// Places a hold, or lifts those that the caller may lift. Says whether the subject is held then, by anybody.
  static func hold(
    _ subjectID: String, _ isHeld: Bool, by caller: Caller, reason: String, in transaction: Transaction
  ) throws -> Bool {
    let subject = try Subject.named(subjectID)
    _ = try transaction.setHold(isHeld, on: subject, by: caller, reason: reason)
    return try transaction.vault.isHeld(subject)
  }
}
