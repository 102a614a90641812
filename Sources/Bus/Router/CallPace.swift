internal import Base

/// How long calls of one kind stay at the workers of a service, and how many are there now.
struct CallPace {
  /// How many nanoseconds a call stays at a worker, on average; zero until the first one has ended.
  private(set) var averageStay: Double = 0
  /// How many calls workers have now.
  private(set) var running = 0
  /// When the stay of a call was noted last, or the first of those that run now began.
  private var lastMove = MonotonicTime(nanoseconds: 0)

  mutating func begin(at now: MonotonicTime) {
    if running == 0 { lastMove = now }
    running += 1
  }

  mutating func end() {
    running -= 1
    assert(running >= 0, "more calls have ended than had begun")
  }

  mutating func noteStay(_ nanoseconds: Int64, at now: MonotonicTime) {
    let sample = Double(max(1, nanoseconds))
    averageStay = averageStay == 0 ? sample : averageStay + (sample - averageStay) / 32
    lastMove = now
  }

  /// How many calls end in a nanosecond: by Little's law, the calls at workers divided by the time that a call stays
  /// there.
  ///
  /// As long as none has ended, each is taken to stay as long as the first has been there. So streams that stay open
  /// for days soon add next to nothing, even if others were short.
  fileprivate func rate(at now: MonotonicTime) -> Double {
    guard running > 0 else { return 0 }
    let still = Double(max(1, now.nanoseconds(since: lastMove)))
    return Double(running) / max(averageStay, still)
  }
}

extension RouterService {
  /// How many calls the service finishes in a nanosecond while calls wait; nil while none runs.
  func rate(at now: MonotonicTime) -> Double? {
    let rate = unary.rate(at: now) + streams.rate(at: now)
    return rate > 0 ? rate : nil
  }

  /// The pace of calls of this call's kind.
  subscript(paceOf call: RouterCall) -> CallPace {
    get { call.isUnary ? unary : streams }
    set { if call.isUnary { unary = newValue } else { streams = newValue } }
  }
}
