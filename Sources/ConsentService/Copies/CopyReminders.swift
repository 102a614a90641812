internal import Base
internal import Sealing
internal import Storage

/// When to look again at a sealed copy to which proofs or a time stamp can, or must, be added.
enum CopyReminders {
  private static let shortest = Duration.days(1)
  private static let longest = Duration.days(32)
  /// How long before the end of its certificate an archive time stamp is renewed, at the earliest.
  private static let lead = Duration.days(90)
  /// How many waiting copies are tried at once after one could be proven, and how many when a process that seals
  /// arrives.
  static let following = 2
  static let trials = 8

  /// Sets a reminder to look for proofs again: the older the copy, the later.
  static func setProofs(
    _ name: CopyName, sealedAt: Instant, _ transaction: Transaction
  ) throws {
    let age = transaction.now - sealedAt
    try DeadlineStore.set(
      .proofs, name.description, at: transaction.now + min(max(age, shortest), longest), transaction)
  }

  /// Sets a reminder to renew an archive time stamp before the certificate of its authority ends: 90 days before, or in
  /// the last quarter of the certificate's remaining time if that is shorter.
  static func setRenewal(_ name: CopyName, of time: ArchiveTime, _ transaction: Transaction) throws {
    try DeadlineStore.set(.archive, name.description, at: renewal(of: time), transaction)
  }

  static func renewal(of time: ArchiveTime) -> Instant {
    time.validUntil + (.zero - min(lead, (time.validUntil - time.time) / 4))
  }

  /// Sets a reminder to ask again for a time stamp that no authority gave, or that would not have been valid for longer
  /// than the present one: the closer the end, the sooner.
  static func setArchive(_ name: CopyName, before end: Instant, _ transaction: Transaction) throws {
    let pause = min(max((end - transaction.now) / 4, shortest), .days(7))
    try DeadlineStore.set(.archive, name.description, at: transaction.now + pause, transaction)
  }
}
