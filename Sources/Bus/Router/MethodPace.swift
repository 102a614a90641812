internal import Base

/// How long calls of one method stay at workers, and how many are there now. An object, because calls, the table of
/// methods and their service share it.
final class MethodPace {
  /// How many nanoseconds a call stays at a worker, on average; zero until the first one has ended.
  private(set) var averageStay: Double = 0
  /// How many of its calls workers have now.
  private(set) var running = 0
  /// When the stay of one of its calls was noted last, or the first of those that run now began.
  private var lastMove = MonotonicTime(nanoseconds: 0)

  func begin(at now: MonotonicTime) {
    if running == 0 { lastMove = now }
    running += 1
  }

  func end() {
    running -= 1
    assert(running >= 0, "more calls have ended than had begun")
  }

  func noteStay(_ nanoseconds: Int64, at now: MonotonicTime) {
    let sample = Double(max(1, nanoseconds))
    averageStay = averageStay == 0 ? sample : averageStay + (sample - averageStay) / 32
    lastMove = now
  }

  /// How many of its calls end in a nanosecond: by Little's law, the calls at workers divided by the time that a call
  /// stays there.
  ///
  /// As long as none has ended, each is taken to stay as long as the first has been there. So streams that stay open
  /// for days soon add next to nothing, even if others of their method were short.
  func rate(at now: MonotonicTime) -> Double {
    let still = Double(max(1, now.nanoseconds(since: lastMove)))
    return Double(running) / max(averageStay, still)
  }
}

extension RouterService {
  /// How many calls the service finishes in a nanosecond while calls wait; nil while none runs.
  ///
  /// Calls that upload and streams that download share the slots of one service, and each method takes its own time:
  /// one method alone says little of how soon the queue moves.
  func rate(at now: MonotonicTime) -> Double? {
    var rate = 0.0
    for method in methods where method.pace.running > 0 { rate += method.pace.rate(at: now) }
    return rate > 0 ? rate : nil
  }
}
