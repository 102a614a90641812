internal import Base

/// The phase that a connection is in and how long it has taken, without the time spent waiting for the bus, which is
/// not the caller's fault.
struct ConnectionProgress {
  enum Phase {
    /// Between requests.
    case idle
    /// The head of a request is arriving.
    case head
    /// Its body is arriving.
    case body
    /// It is being answered.
    case answer
  }

  private(set) var phase = Phase.idle
  private var since: MonotonicTime
  private var pausedSince: MonotonicTime?

  init(at now: MonotonicTime) {
    since = now
  }

  var isPaused: Bool { pausedSince != nil }

  mutating func enter(_ phase: Phase, at now: MonotonicTime) {
    self.phase = phase
    since = now
  }

  mutating func pause(at now: MonotonicTime) { pausedSince = now }

  mutating func goOn(at now: MonotonicTime) {
    guard let pausedSince else { return }
    // The phase may have begun during the pause.
    since = since + (now - max(pausedSince, since))
    self.pausedSince = nil
  }

  /// Whether the phase has taken longer than this.
  func exceeds(_ limit: Duration, at now: MonotonicTime) -> Bool { !isPaused && now - since > limit }
}
