internal import Base
public import Ink

/// Made-up signatures on a canvas of 600 × 200 pixels.
public struct SampleSignature: Sendable {
  public let name: String
  public let ink: Ink

  /// Six strokes and 405 samples, all more than 5 pixels apart, as a web pad would have kept them: the signature that
  /// every figure is measured with.
  public static let reference = make("reference", referenceStrokes())

  /// Twenty writers: with a mouse, a finger and a pen, in one run and in parts, large and tiny.
  public static let all: [SampleSignature] = (1...20).map { number in
    make("writer \(number)", strokes(writer: number))
  }

  private static func make(_ name: String, _ strokes: [Stroke]) -> SampleSignature {
    do {
      return SampleSignature(
        name: name, ink: try Ink(validating: strokes, canvas: Canvas(width: 600, height: 200), device: "sample"))
    } catch {
      preconditionFailure("a sample is valid: \(error)")
    }
  }

  private static func strokes(writer number: Int) -> [Stroke] {
    // The last three are what people with little patience write: initials, a tick, a dot.
    switch number {
    case 18: return initials()
    case 19: return tick()
    case 20: return dot()
    default: break
    }
    let kinds: [Hand.PressureKind] = [.pen, .none, .mouse]
    var hand = Hand(seed: UInt64(number), rate: number.isMultiple(of: 2) ? 120 : 60, pressure: kinds[number % 3])
    let letters = 4 + number % 5
    let height = 22 + Double(number * 7 % 16)
    let width = 26 + Double(number * 5 % 14)
    var strokes = [hand.run(x: 50, y: 125, letters: letters, height: height, width: width, capital: true)]
    let middle = 70 + Double(letters + 1) * width * 1.1
    if number % 4 != 0 {
      hand.lift()
      strokes.append(hand.run(x: middle, y: 120, letters: 3 + number % 4, height: height, width: width, capital: true))
    }
    if number % 3 == 0 {
      hand.lift()
      strokes.append(hand.dash(x: 90, y: 78, toX: 170, toY: 70, bend: -4, seconds: 0.15))
    }
    if number % 2 == 0 {
      hand.lift()
      strokes.append(hand.dot(x: middle - 30, y: 75))
    }
    if number % 5 != 1 {
      hand.lift()
      strokes.append(hand.dash(x: middle + 90, y: 150, toX: 60, toY: 165, bend: 14, seconds: 0.4))
    }
    return strokes
  }

  private static func initials() -> [Stroke] {
    var hand = Hand(seed: 18, rate: 120, pressure: .pen)
    let first = hand.run(x: 250, y: 120, letters: 1, height: 26, width: 34, capital: true)
    hand.lift()
    return [first, hand.run(x: 320, y: 122, letters: 2, height: 24, width: 30, capital: true)]
  }

  private static func tick() -> [Stroke] {
    var hand = Hand(seed: 19)
    let down = hand.dash(x: 280, y: 100, toX: 300, toY: 130, bend: 2, seconds: 0.12)
    let up = hand.dash(x: 300, y: 130, toX: 350, toY: 60, bend: -4, seconds: 0.14)
    return [Stroke(points: down.points + up.points)]
  }

  private static func dot() -> [Stroke] {
    var hand = Hand(seed: 20)
    return [hand.dot(x: 300, y: 100)]
  }

  private static func referenceStrokes() -> [Stroke] {
    var hand = Hand(seed: 405, rate: 120)
    let drawn = [
      hand.run(x: 40, y: 128, letters: 10, height: 30, width: 25, capital: true),
      hand.run(x: 335, y: 124, letters: 8, height: 30, width: 23, capital: true),
      hand.dash(x: 60, y: 62, toX: 300, toY: 50, bend: -12, seconds: 1.0),
      hand.dash(x: 560, y: 150, toX: 60, toY: 178, bend: 16, seconds: 1.6),
      hand.dash(x: 430, y: 70, toX: 470, toY: 62, bend: -3, seconds: 0.5),
      hand.dash(x: 520, y: 70, toX: 560, toY: 123, bend: 6, seconds: 0.5),
    ]
    return drawn.map { Stroke(points: apart($0.points), pen: $0.pen) }
  }

  private static func apart(_ points: [StrokePoint]) -> [StrokePoint] {
    var kept: [StrokePoint] = []
    for point in points {
      if let last = kept.last {
        let dx = point.x - last.x, dy = point.y - last.y
        if (dx * dx + dy * dy).squareRoot() <= 5.01 { continue }
      }
      kept.append(point)
    }
    return kept
  }
}
