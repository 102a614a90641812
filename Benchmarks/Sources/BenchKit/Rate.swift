public import Base

/// Answers a second, of those that came within `time` from `start`: what comes later was not done in that time.
public func rate(of answers: [MonotonicTime], from start: MonotonicTime, over time: Duration) -> Double {
  let end = start + time
  let count = answers.count { start <= $0 && $0 < end }
  return Double(count) * 1e9 / Double(time.wholeNanoseconds)
}
