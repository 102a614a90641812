internal import Base
public import Outgoing

/// Where webhooks may lead, how long a receiver may take, and when it is tried again.
public struct WebhookPolicy: Sendable {
  public var outgoing: OutgoingPolicy
  /// From the start of a request to the last byte of the answer.
  public var timeout = Duration.seconds(15)
  /// The pause after the first failure. Each later one is four times as long, up to the longest.
  public var firstPause = Duration.seconds(5)
  public var longestPause = Duration.seconds(12 * 3600)
  /// An event that was tried for so long is parked when it fails once more. So are others that have waited as long when
  /// the receiver has accepted nothing for so long.
  public var retriesFor = Duration.seconds(3 * 86_400)
  /// How long a process that stopped answering keeps a webhook from the others.
  public var lease = Duration.seconds(30)
  /// How often to look for events whose time has come, while any wait.
  public var interval = Duration.seconds(1)
  /// How often while none do. Then only a change of the database brings one, of which another process may not have
  /// told this one.
  public var quietInterval = Duration.seconds(15)
  /// How many events wait by name for one webhook; further ones wait in the log.
  public var mostWaiting = 10_000

  /// How many events are sent to one webhook at a time, each of another subject.
  static let width = 4
  /// How many webhooks of one tenant, and of all, a process sends to at a time. A receiver that hangs holds one place
  /// of its tenant's until its timeout, then pauses.
  static let mostAtOnceOfTenant = 8
  static let mostAtOnce = 64
  /// However long a receiver asks to be left alone.
  static let longestRetryAfter = Duration.seconds(86_400)
  /// Nobody reads a receiver's answer beyond its status.
  static let mostAnswerBytes = 64 << 10

  /// - Parameter outgoing: what others name leads to the public internet, unless an operator allows more.
  public init(_ outgoing: OutgoingPolicy = OutgoingPolicy(.publicAddresses())) {
    self.outgoing = outgoing
  }

  /// How many events wait by name at the very most.
  private var longestLine: Int { 10 * mostWaiting }

  /// How many further events may wait by name.
  ///
  /// Parked ones, those that the receiver refuses and those behind both stand still, until somebody calls or for days.
  /// They must not keep others waiting for that too, so where hardly any other is left some more are let in, up to ten
  /// times as many in all. What a receiver that accepts nothing has refused says nothing of the event.
  func room(beside counts: DeliveryStore.Counts, isFailing: Bool) -> Int {
    if counts.all < mostWaiting { return mostWaiting - counts.all }
    let refused = isFailing ? 0 : counts.refused
    let few = max(1, mostWaiting / 50)
    let isHeldUp = counts.parked + refused > 0 && counts.scheduled - refused < few
    return isHeldUp && !isFull(counts) ? few : 0
  }

  /// Whether no event is let in any more, whatever those do that wait.
  func isFull(_ counts: DeliveryStore.Counts) -> Bool { counts.all >= longestLine }

  /// Nothing waits for a later time, also none that another process has set whose clock is a little ahead. What does
  /// was put off, or lined up, by a clock that has been set back since: it is due.
  func latestTry(at now: Instant) -> Instant { now + max(longestPause, Self.longestRetryAfter) + lease + lease }

  /// - Parameter failures: how many there were in a row; none counts as one, and so does a number below.
  func pause(after failures: Int, _ randomness: Randomness) -> Duration {
    var whole = firstPause.milliseconds
    // More steps than any pause takes to grow.
    for _ in 1..<min(max(failures, 1), 40) where whole < longestPause.milliseconds { whole *= 4 }
    whole = max(1, min(whole, longestPause.milliseconds))
    // Up to a fifth less, so that what failed together is not tried again together.
    return .milliseconds(whole - Int64(randomness.word() % UInt64(whole / 5 + 1)))
  }
}

extension Duration {
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
