/// Turns samples into the path of a modelled pen tip while they arrive: a point that was given out never changes.
///
/// The idea is that of Google's ink-stroke-modeler: an average over 40 ms removes the tremble of slow drawing; the tip
/// is a mass that a spring pulls after the pen against drag; positions come out 180 times a second; at the end the tip
/// catches up with the pen.
package struct StrokeModeler {
  /// A position of the tip. Its pressure is that of the nearest samples, nil as long as none reported any.
  package struct Tip: Equatable, Sendable {
    package var position: SIMD2<Float>
    package var pressure: Float?
  }

  private enum Physics {
    static let stepSeconds: Float = 1.0 / 180
    static let springMass: Float = 11.0 / 32400
    static let drag: Float = 72
    /// After a tenth of a second the tip has come to rest: a longer pause would add only points.
    static let longestGapSeconds: Float = 0.1
    static let catchUpSteps = 20
    /// In pixels: a distance that nobody can see.
    static let arrived: Float = 0.05
  }

  package init() {}

  private var wobble = WobbleFilter()
  private var source = PressureSource()
  private var tip: Tip?
  private var velocity = SIMD2<Float>.zero
  private var anchor = SIMD2<Float>.zero
  /// The true position of the pen, which the end of the stroke needs.
  private var pen = SIMD2<Float>.zero
  private var anchorPressure: Float?
  private var lastTime: Float = 0
  private var clock: Float = 0

  package mutating func add(_ sample: Sample) -> [Tip] {
    pen = SIMD2(sample.x, sample.y)
    let pressed = source.known(sample.pressure)
    guard tip != nil else {
      let first = Tip(position: pen, pressure: pressed)
      tip = first
      anchor = pen
      anchorPressure = pressed
      lastTime = sample.time
      _ = wobble.smooth(pen, at: 0)
      return [first]
    }
    let elapsed = min(max(0, (sample.time - lastTime) / 1000), Physics.longestGapSeconds)
    lastTime = max(lastTime, sample.time)
    clock += elapsed
    let goal = wobble.smooth(pen, at: clock)
    let steps = (elapsed / Physics.stepSeconds).rounded(.up)
    var tips: [Tip] = []
    tips.reserveCapacity(Int(steps))
    for step in 0..<Int(steps) {
      let share = Float(step + 1) / steps
      let pressure = Self.blend(anchorPressure, pressed, share)
      move(towards: anchor + (goal - anchor) * share, seconds: elapsed / steps, pressure: pressure)
      if let tip { tips.append(tip) }
    }
    anchor = goal
    anchorPressure = pressed
    return tips
  }

  /// The pen went up: lets the tip catch up with it, without overshooting.
  package mutating func finish() -> [Tip] {
    var tips: [Tip] = []
    var seconds = Physics.stepSeconds
    for _ in 0..<Physics.catchUpSteps {
      guard let before = tip else { return tips }
      let speedBefore = velocity
      move(towards: pen, seconds: seconds, pressure: anchorPressure)
      guard let after = tip, Self.distance(before.position, after.position) >= Physics.arrived else {
        tip = before
        break
      }
      if Self.overshoots(from: before.position, to: after.position, target: pen) {
        seconds /= 2
        tip = before
        velocity = speedBefore
        continue
      }
      tips.append(after)
      if Self.distance(after.position, pen) < Physics.arrived { break }
    }
    if let last = tip, Self.distance(last.position, pen) >= Physics.arrived {
      tips.append(Tip(position: pen, pressure: anchorPressure))
    }
    return tips
  }

  private mutating func move(towards goal: SIMD2<Float>, seconds: Float, pressure: Float?) {
    guard let last = tip else { return }
    let pull = (goal - last.position) / Physics.springMass - velocity * Physics.drag
    velocity += pull * seconds
    tip = Tip(position: last.position + velocity * seconds, pressure: pressure)
  }

  private static func blend(_ from: Float?, _ to: Float?, _ share: Float) -> Float? {
    guard let to else { return nil }
    guard let from else { return to }
    return from + (to - from) * share
  }

  private static func distance(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
    let between = one - other
    return (between.x * between.x + between.y * between.y).squareRoot()
  }

  /// Whether the step has passed the target.
  private static func overshoots(from: SIMD2<Float>, to: SIMD2<Float>, target: SIMD2<Float>) -> Bool {
    let step = to - from, left = target - to
    return step.x * left.x + step.y * left.y < 0
  }
}
