internal import Base
internal import ServicePolicy
package import Storage

/// Erases the signatures of a subject, and places legal holds, which forbid that.
package enum PrivacyStore {
  /// Erases the signatures of a subject. The reason that was given is not stored: it may name the person, of whom no
  /// vault is left to keep it in.
  ///
  /// A service passes on an erasure that was decided elsewhere. It may name a subject who has not signed here: a device
  /// that is about to create a field for that subject is then refused. A person who names nobody made a mistake.
  static func erase(_ subjectID: String, by caller: Caller, in transaction: Transaction) throws {
    let subject = try Subject.named(subjectID)
    guard try !caller.isPerson || transaction.vault.knows(subject) else {
      throw Refusal.notFound("subject", subjectID)
    }
    // From here on nobody creates a field for the subject, so the erasure is recorded for all that there are.
    try transaction.vault.lock(subject)
    // A repeat of the call records this as well: after a restore, a follower may have read further than the log.
    try FieldStore.noteErasure(of: subject, by: caller.actor, in: transaction)
    try transaction.vault.eraseAhead(of: subject, by: caller.actor, reason: "request")
  }

  /// Repeats the part of an erasure that is outside of the vault, after the restore of a backup from before it. The
  /// vault has been erased again already.
  package static func eraseAgain(_ transaction: Transaction, _ subject: Subject) throws {
    try FieldStore.noteRepeatedErasure(of: subject, in: transaction)
  }

  /// Places a hold, or lifts those that the caller may lift. Returns whether the subject is held after that, by
  /// anybody.
  static func hold(
    _ subjectID: String, _ isHeld: Bool, by caller: Caller, reason: String, in transaction: Transaction
  ) throws -> Bool {
    let subject = try Subject.named(subjectID)
    _ = try transaction.setHold(isHeld, on: subject, by: caller, reason: reason)
    return try transaction.vault.isHeld(subject)
  }
}
