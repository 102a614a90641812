internal import Base
internal import ConsentContract
internal import Sealing
internal import Storage
internal import Wire

/// When to look again at a sealed copy to which proofs or a time stamp can, or must, be added.
enum CopyReminders {
  private static let shortest = Duration.days(1)
  private static let longest = Duration.days(32)
  /// How long before the end of its certificate an archive time stamp is renewed, at the earliest.
  private static let lead = Duration.days(90)
  /// How many waiting copies are tried at once after one has got what they wait for, and how many when a process that
  /// seals arrives.
  private static let following = 2
  private static let trials = 8
  /// The reminders of copies that wait for what an authority or a publisher did not give.
  private static let waiting: [Deadline.Kind] = [.time, .proofs, .archiveTime]

  /// Sets a reminder to ask again for what a copy lacks. For its time or proofs: the older the copy, the later; for an
  /// archive time stamp: the closer the end of what it could attest, the sooner.
  static func set(
    _ kind: Deadline.Kind, _ current: CurrentCopy, before end: Instant, _ transaction: Transaction
  ) throws {
    let isArchive = kind == .archive || kind == .archiveTime
    let age = transaction.now - (current.copy.sealedAt?.clamped ?? transaction.now)
    let pause = isArchive ? min((end - transaction.now) / 4, .days(7)) : min(age, longest)
    try DeadlineStore.set(kind, current.name.description, at: transaction.now + max(pause, shortest), transaction)
  }

  /// Has some copies tried at once that wait for what another one has just got: each that succeeds brings two more, so
  /// that all are done soon where it works, and two requests are all that it costs where it does not.
  static func follow(_ kind: Deadline.Kind, _ transaction: Transaction) throws {
    try DeadlineStore.hasten(kind, atMost: following, transaction)
  }

  /// Has the newest waiting copies tried at once: a process that seals has arrived, which may reach authorities and
  /// publishers that the one before it could not.
  static func trySome(_ transaction: Transaction) throws {
    for kind in waiting { try DeadlineStore.hasten(kind, atMost: trials, transaction) }
  }

  /// Sets a reminder to renew an archive time stamp before the certificate of its authority ends: 90 days before, or in
  /// the last quarter of the certificate's remaining time if that is shorter.
  static func setRenewal(_ name: CopyName, of time: ArchiveTime, _ transaction: Transaction) throws {
    try DeadlineStore.set(.archive, name.description, at: renewal(of: time), transaction)
  }

  static func renewal(of time: ArchiveTime) -> Instant {
    time.validUntil + (.zero - min(lead, (time.validUntil - time.time) / 4))
  }
}
