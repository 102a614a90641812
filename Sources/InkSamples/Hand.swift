internal import Base
internal import Ink

/// A made-up writer: a hand that swings up and down while it moves along, as handwriting has been modelled since the
/// nineteen-eighties. Every number comes from the seed by + − × ÷, so that a sample is the same on every machine.
struct Hand {
  private var chance: SeededGenerator
  /// Samples a second that the device reports.
  let rate: Double
  let pressure: PressureKind
  private var time = 0.0

  enum PressureKind {
    case none
    /// Always 0.5, as a mouse reports it.
    case mouse
    /// Harder on the way down.
    case pen
  }

  init(seed: UInt64, rate: Double = 60, pressure: PressureKind = .none) {
    chance = SeededGenerator(seed: seed)
    self.rate = rate
    self.pressure = pressure
  }

  /// A run of joined letters from `x` on, with the baseline at `y`. The height of the swing makes capitals and loops.
  mutating func run(x: Double, y: Double, letters: Int, height: Double, width: Double, capital: Bool) -> Stroke {
    var points: [StrokePoint] = []
    var letterStart = x
    var phase = 0.0
    for letter in 0..<letters {
      let isFirst = capital && letter == 0
      let tall = isFirst ? 2.6 : pick([1, 1, 1, 1.15, 2.1, -1.3])
      let advance = width * between(0.8, 1.25) * (isFirst ? 1.6 : 1)
      let swing = width * between(0.25, 0.75)
      let lean = between(0.1, 0.3)
      let seconds = between(0.16, 0.24) * (isFirst ? 1.9 : 1 + 0.25 * (abs(tall) - 1))
      let steps = max(3, Int(seconds * rate))
      for step in 0..<steps {
        let share = Double(step) / Double(steps)
        // One turn: from the baseline up (or, with a descender, down) and back.
        let rise = (1 - Wave.cosine(share)) / 2 * height * tall
        let sway = Wave.sine(share + phase) * swing
        points.append(
          point(x: letterStart + advance * share + sway + rise * lean, y: y - rise + between(-0.3, 0.3), share: share))
      }
      letterStart += advance
      phase = between(-0.04, 0.04)
    }
    return Stroke(points: points)
  }

  /// A quick line with a bend: a crossbar, an underline, a flourish.
  mutating func dash(x: Double, y: Double, toX: Double, toY: Double, bend: Double, seconds: Double) -> Stroke {
    let steps = max(2, Int(seconds * rate))
    var points: [StrokePoint] = []
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      // Starts and stops softly, as a hand does.
      let way = share * share * (3 - 2 * share)
      let bow = 4 * way * (1 - way) * bend
      points.append(point(x: x + (toX - x) * way, y: y + (toY - y) * way + bow, share: share))
    }
    return Stroke(points: points)
  }

  mutating func dot(x: Double, y: Double) -> Stroke {
    Stroke(points: [point(x: x, y: y, share: 0.5)])
  }

  /// The pause between two strokes.
  mutating func lift() {
    time += between(120, 320)
  }

  private mutating func point(x: Double, y: Double, share: Double) -> StrokePoint {
    time += 1000 / rate
    let pressed: Double? =
      switch pressure {
      case .none: nil
      case .mouse: 0.5
      case .pen: 0.45 - 0.25 * Wave.sine(share) + between(-0.03, 0.03)
      }
    return StrokePoint(
      x: x, y: y, time: time.rounded(.down), pressure: pressed, altitude: pressure == .pen ? 58 : nil,
      azimuth: pressure == .pen ? 135 : nil)
  }

  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(chance.next() >> 11) / 9_007_199_254_740_992
  }

  private mutating func pick(_ values: [Double]) -> Double {
    values[Int(chance.next() % UInt64(values.count))]
  }
}

/// Waves of period 1 from a polynomial: the library's sine may differ in its last bit from machine to machine.
enum Wave {
  static func sine(_ turns: Double) -> Double {
    let place = turns - turns.rounded(.down)
    let half = place < 0.5 ? place * 2 : place * 2 - 1
    // Bhaskara's approximation, good to a thousandth.
    let bow = half * (1 - half)
    let value = 16 * bow / (5 - 4 * bow)
    return place < 0.5 ? value : -value
  }

  static func cosine(_ turns: Double) -> Double { sine(turns + 0.25) }
}
