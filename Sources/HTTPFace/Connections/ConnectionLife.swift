internal import Base

/// Decides when a connection is pinged, drained and ended.
struct ConnectionLife {
  enum Verdict: Equatable {
    case nothing
    /// Ping the client, so that it shows that it is alive.
    case ping
    case end(because: String)
  }

  enum DrainStep: Equatable {
    case nothing
    /// Tell the client that it should begin no more calls here.
    case announce
    /// Refuse the calls that the client begins from now on.
    case refuse
  }

  private let limits: DoorLimits
  private let openedAt: MonotonicTime
  private var lastHeard: MonotonicTime
  private var pingedAt: MonotonicTime?
  private var announcedAt: MonotonicTime?
  private var hasRefused = false

  /// Calls that a client began before it read the announcement arrive within about this time.
  private static let grace = Duration.milliseconds(200)

  init(_ limits: DoorLimits, at now: MonotonicTime) {
    self.limits = limits
    openedAt = now
    lastHeard = now
  }

  mutating func heard(at now: MonotonicTime) {
    lastHeard = now
    pingedAt = nil
  }

  mutating func check(hasGreeted: Bool, hasCalls: Bool, at now: MonotonicTime) -> Verdict {
    if !hasGreeted { return now - openedAt < limits.greeting ? .nothing : .end(because: "nothing came in time") }
    if let pingedAt { return now - pingedAt < limits.patience ? .nothing : .end(because: "a ping was not answered") }
    let silence = hasCalls ? limits.silence.withCalls : limits.silence.withoutCalls
    guard now - lastHeard >= silence else { return .nothing }
    pingedAt = now
    return .ping
  }

  /// Whether the client is to be told now that it should begin no more calls here.
  mutating func leave(at now: MonotonicTime) -> Bool {
    guard announcedAt == nil else { return false }
    announcedAt = now
    return true
  }

  mutating func drain(at now: MonotonicTime) -> DrainStep {
    if leave(at: now) { return .announce }
    guard !hasRefused, let announcedAt, now - announcedAt >= Self.grace else { return .nothing }
    hasRefused = true
    return .refuse
  }
}
