internal import Base
internal import Sealing
internal import Storage

/// When a sealed copy is looked at again that could be proven further, or has to be.
enum CopyReminders {
  private static let shortest = Duration.days(1)
  private static let longest = Duration.days(32)
  /// How long before the end of its certificate a time over a file is renewed, at the earliest.
  private static let lead = Duration.days(90)
  /// How many copies follow where one could be proven that could not be before, and how many are tried when a process
  /// that seals has come.
  static let following = 2
  static let trials = 8

  /// Looks for proofs later: the older the copy, the later.
  static func setProofs(
    _ name: CopyName, sealedAt: Instant, _ transaction: Transaction
  ) throws {
    let age = transaction.now - sealedAt
    try DeadlineStore.set(
      .proofs, name.description, at: transaction.now + min(max(age, shortest), longest), transaction)
  }

  /// Renews an attested time before the certificate of its authority ends: 90 days before, or in the last quarter of
  /// its time where it is shorter.
  static func setRenewal(_ name: CopyName, of time: ArchiveTime, _ transaction: Transaction) throws {
    try DeadlineStore.set(.archive, name.description, at: renewal(of: time), transaction)
  }

  static func renewal(of time: ArchiveTime) -> Instant {
    time.validUntil + (.zero - min(lead, (time.validUntil - time.time) / 4))
  }

  /// Asks for a time again that was not to be had, or that would not have held longer: the closer the end, the sooner.
  static func setArchive(_ name: CopyName, before end: Instant, _ transaction: Transaction) throws {
    let pause = min(max((end - transaction.now) / 4, shortest), .days(7))
    try DeadlineStore.set(.archive, name.description, at: transaction.now + pause, transaction)
  }
}
