internal import Base
public import Outgoing

/// Where webhooks may lead, how long a receiver may take, and when it is tried again.
public struct WebhookPolicy: Sendable {
  public var outgoing: OutgoingPolicy
  /// How long a request may take, from its start to the last byte of the answer.
  public var timeout = Duration.seconds(15)
  /// The pause after the first failure. Each later one is four times as long, up to the longest.
  public var firstPause = Duration.seconds(5)
  public var longestPause = Duration.seconds(12 * 3600)
  /// An event is parked if it fails this long after its first attempt. If the receiver has accepted nothing for this
  /// long, all other scheduled events that have waited as long are parked too.
  public var retriesFor = Duration.seconds(3 * 86_400)
  /// How long a webhook's lease lasts unless it is renewed: after a process has died, others wait this long at most.
  public var lease = Duration.seconds(30)
  /// How often to look for due events while any are scheduled.
  public var interval = Duration.seconds(1)
  /// How often to look while none are scheduled. New ones then only come with a commit, and this process may miss the
  /// notification of a commit by another one.
  public var quietInterval = Duration.seconds(15)
  /// How many events are queued for one webhook, in rows of their own; further ones stay in the log until there is
  /// room.
  public var mostWaiting = 10_000

  /// How many events are sent to one webhook at a time, each of another lane.
  static let width = 4
  /// To how many webhooks of one tenant, and of all tenants, a process sends at a time. A receiver that hangs occupies
  /// one of its tenant's places until the time-out, and is then not tried for a pause.
  static let mostAtOnceOfTenant = 8
  static let mostAtOnce = 64
  /// The longest time for which a receiver's `Retry-After` is obeyed.
  static let longestRetryAfter = Duration.seconds(86_400)
  /// The most bytes of a receiver's answer. Nothing but its status and `Retry-After` is used.
  static let mostAnswerBytes = 64 << 10

  /// - Parameter outgoing: where requests may go. Tenants choose the addresses, so by default only to the public
  ///   internet.
  public init(_ outgoing: OutgoingPolicy = OutgoingPolicy(.publicAddresses())) {
    self.outgoing = outgoing
  }

  /// How many events are queued at the very most.
  private var longestLine: Int { 10 * mostWaiting }

  /// How many further events may be queued.
  ///
  /// Parked events, events that the receiver refuses, and those behind either may stay queued for days or until
  /// somebody intervenes. They must not hold up the events of other lanes. So if hardly any queued event can be sent, a
  /// few more are queued, up to `longestLine` in all. While the receiver accepts nothing at all, a refusal says nothing
  /// about the event, so refused events are not counted then.
  func room(beside counts: DeliveryStore.Counts, isFailing: Bool) -> Int {
    if counts.all < mostWaiting { return mostWaiting - counts.all }
    let refused = isFailing ? 0 : counts.refused
    let few = max(1, mostWaiting / 50)
    let isHeldUp = counts.parked + refused > 0 && counts.scheduled - refused < few
    return isHeldUp && !isFull(counts) ? few : 0
  }

  /// Whether no event is queued any more until the queue gets shorter.
  func isFull(_ counts: DeliveryStore.Counts) -> Bool { counts.all >= longestLine }

  /// The latest time to which a correct clock postpones an event or a pause, with allowance for another process whose
  /// clock is slightly ahead. A later time was set by a clock that has been set back since, and counts as past.
  func latestTry(at now: Instant) -> Instant { now + max(longestPause, Self.longestRetryAfter) + lease + lease }

  /// The pause after a number of failures in a row.
  ///
  /// - Parameter failures: how many; a number below 1 counts as 1.
  func pause(after failures: Int, _ randomness: Randomness) -> Duration {
    var whole = firstPause.milliseconds
    // 40 steps are more than the pause needs to reach the longest one.
    for _ in 1..<min(max(failures, 1), 40) where whole < longestPause.milliseconds { whole *= 4 }
    whole = max(1, min(whole, longestPause.milliseconds))
    // Shortened at random by up to a fifth, so that events that failed together are not retried together.
    return .milliseconds(whole - Int64(randomness.word() % UInt64(whole / 5 + 1)))
  }
}

extension Duration {
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
