/// Removes the tremble of slow drawing: replaces positions by the average of the last 40 ms, weighted by time. The
/// faster the pen, the more the true position counts; above the upper speed only that.
struct WobbleFilter {
  private struct Entry {
    let position: SIMD2<Float>
    let time: Float
    let distance: Float
    let duration: Float
  }

  private static let windowSeconds: Float = 0.04
  /// 1.31 and 1.44 cm/s at 96 pixels an inch.
  private static let slow: Float = 49.5
  private static let fast: Float = 54.4

  /// No device samples faster than 1600 times a second; a clock that stands still must not let the window grow.
  private static let mostEntries = 64

  private var entries: [Entry] = []

  mutating func smooth(_ position: SIMD2<Float>, at time: Float) -> SIMD2<Float> {
    guard let last = entries.last else {
      entries.append(Entry(position: position, time: time, distance: 0, duration: 0))
      return position
    }
    let step = position - last.position
    let distance = (step.x * step.x + step.y * step.y).squareRoot()
    entries.append(Entry(position: position, time: time, distance: distance, duration: time - last.time))
    entries.removeAll { $0.time < time - Self.windowSeconds }
    if entries.count > Self.mostEntries { entries.removeFirst() }
    // Summed again each time: running sums would drift, and the window holds a handful of samples.
    var weighted = SIMD2<Float>.zero
    var travelled: Float = 0, lasted: Float = 0
    for entry in entries {
      weighted += entry.position * entry.duration
      travelled += entry.distance
      lasted += entry.duration
    }
    guard lasted > 0 else { return position }
    let share = min(max((travelled / lasted - Self.slow) / (Self.fast - Self.slow), 0), 1)
    let average = weighted / lasted
    return average + (position - average) * share
  }
}
