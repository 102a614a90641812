/// Reads the attribute `d` of an SVG path as moves, lines and cubic curves.
struct PathReader {
  enum Step {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
    case close
  }

  typealias Point = SIMD2<Double>

  private let bytes: [UInt8]
  private var at = 0
  private var steps: [Step] = []
  private var here = Point.zero
  private var start = Point.zero
  /// The last control point, which smooth curves mirror.
  private var control: (Point, isCubic: Bool)?

  private static let mostSteps = 200_000
  private static let nothing = 1e-12

  /// nil when the text is not a valid path. Browsers show a path up to its first mistake; here it is refused.
  static func steps(_ text: String) -> [Step]? {
    var reader = PathReader(bytes: Array(text.utf8))
    return reader.read() ? reader.steps : nil
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func read() -> Bool {
    skip()
    var isFirst = true
    while at < bytes.count {
      let command = bytes[at]
      guard (65...90).contains(command & 0xDF), !isFirst || command & 0xDF == UInt8(ascii: "M") else { return false }
      isFirst = false
      at += 1
      guard segments(command) else { return false }
      skip()
    }
    return true
  }

  /// Reads a command's arguments, and further ones that follow without repeating the command.
  private mutating func segments(_ command: UInt8) -> Bool {
    let isRelative = command > 96
    let kind = command & 0xDF
    if kind == UInt8(ascii: "Z") {
      guard steps.count < Self.mostSteps else { return false }
      steps.append(.close)
      here = start
      control = nil
      return true
    }
    var isFirst = true
    repeat {
      guard steps.count < Self.mostSteps, segment(kind, isRelative, isFirst) else { return false }
      isFirst = false
      skip()
    } while at < bytes.count && !(65...90).contains(bytes[at] & 0xDF)
    return true
  }

  private mutating func segment(_ kind: UInt8, _ isRelative: Bool, _ isFirst: Bool) -> Bool {
    let base = isRelative ? here : .zero
    switch kind {
    case UInt8(ascii: "M"):
      guard let end = point(base) else { return false }
      if isFirst {
        steps.append(.move(end))
        start = end
        here = end
        control = nil
      } else {
        line(to: end)
      }
    case UInt8(ascii: "L"):
      guard let end = point(base) else { return false }
      line(to: end)
    case UInt8(ascii: "H"):
      guard let x = number() else { return false }
      line(to: Point(base.x + x, here.y))
    case UInt8(ascii: "V"):
      guard let y = number() else { return false }
      line(to: Point(here.x, base.y + y))
    case UInt8(ascii: "C"):
      guard let first = point(base), let second = point(base), let end = point(base) else { return false }
      curve(first, second, end)
    case UInt8(ascii: "S"):
      guard let second = point(base), let end = point(base) else { return false }
      let first = control.map { $0.isCubic ? here * 2 - $0.0 : here } ?? here
      curve(first, second, end)
    case UInt8(ascii: "Q"):
      guard let middle = point(base), let end = point(base) else { return false }
      quadratic(middle, end)
    case UInt8(ascii: "T"):
      guard let end = point(base) else { return false }
      quadratic(control.map { $0.isCubic ? here : here * 2 - $0.0 } ?? here, end)
    case UInt8(ascii: "A"):
      guard let rx = number(), let ry = number(), let turn = number(), let large = flag(), let sweep = flag(),
        let end = point(base)
      else { return false }
      arc(Point(abs(rx), abs(ry)), turn: turn, large, sweep, end)
    default: return false
    }
    return true
  }

  private mutating func line(to end: Point) {
    steps.append(.line(end))
    here = end
    control = nil
  }

  private mutating func curve(_ first: Point, _ second: Point, _ end: Point) {
    steps.append(.curve(first, second, end))
    here = end
    control = (second, true)
  }

  private mutating func quadratic(_ middle: Point, _ end: Point) {
    steps.append(.curve(here + (middle - here) * (2.0 / 3), end + (middle - end) * (2.0 / 3), end))
    here = end
    control = (middle, false)
  }

  /// Converts an arc from its ends to its centre, as SVG's implementation notes do, and then to cubic curves of a
  /// quarter turn or less.
  private mutating func arc(_ wanted: Point, turn: Double, _ large: Bool, _ sweep: Bool, _ end: Point) {
    // The squares of radii that are far too small to be seen are zero, and cannot be divided by.
    guard wanted.x > Self.nothing, wanted.y > Self.nothing, ((end - here) * (end - here)).sum() > Self.nothing else {
      return line(to: end)
    }
    let (sine, cosine) = Angle.sineCosine(degrees: turn)
    let half = (here - end) / 2
    let turned = Point(cosine * half.x + sine * half.y, cosine * half.y - sine * half.x)
    var radii = wanted
    let excess = (turned * turned / (radii * radii)).sum()
    if excess > 1 { radii *= excess.squareRoot() }
    let (rx2, ry2) = (radii.x * radii.x, radii.y * radii.y)
    let below = rx2 * turned.y * turned.y + ry2 * turned.x * turned.x
    let factor = (max(0, rx2 * ry2 - below) / below).squareRoot() * (large == sweep ? -1 : 1)
    let inner = Point(radii.x * turned.y / radii.y, -radii.y * turned.x / radii.x) * factor
    let middle =
      Point(cosine * inner.x - sine * inner.y, sine * inner.x + cosine * inner.y) + (here + end) / 2
    let first = Angle.of((turned - inner) / radii)
    var sweepAngle = Angle.of((-turned - inner) / radii) - first
    if sweep, sweepAngle < 0 { sweepAngle += 2 * .pi }
    if !sweep, sweepAngle > 0 { sweepAngle -= 2 * .pi }
    let parts = max(1, Int((abs(sweepAngle) / (.pi / 2) - 1e-9).rounded(.up)))
    let step = sweepAngle / Double(parts)
    let reach = 4.0 / 3 * Angle.tangent(step / 4)
    func place(_ point: Point) -> Point {
      let scaled = point * radii
      return middle + Point(cosine * scaled.x - sine * scaled.y, sine * scaled.x + cosine * scaled.y)
    }
    for part in 0..<parts {
      let (from, to) = (first + step * Double(part), first + step * Double(part + 1))
      let ((s1, c1), (s2, c2)) = (Angle.sineCosine(from), Angle.sineCosine(to))
      let last = part == parts - 1
      steps.append(
        .curve(
          place(Point(c1 - reach * s1, s1 + reach * c1)), place(Point(c2 + reach * s2, s2 - reach * c2)),
          last ? end : place(Point(c2, s2))))
    }
    here = end
    control = nil
  }

  // MARK: - Text

  private mutating func skip() {
    while at < bytes.count, [9, 10, 12, 13, 32, UInt8(ascii: ",")].contains(bytes[at]) { at += 1 }
  }

  private mutating func point(_ base: Point) -> Point? {
    guard let x = number(), let y = number() else { return nil }
    return base + Point(x, y)
  }

  /// A flag needs no separator before what follows.
  private mutating func flag() -> Bool? {
    skip()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "0") || bytes[at] == UInt8(ascii: "1") else { return nil }
    at += 1
    return bytes[at - 1] == UInt8(ascii: "1")
  }

  private mutating func number() -> Double? {
    skip()
    let begin = at
    if at < bytes.count, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") { at += 1 }
    var hasPoint = false
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "."), !hasPoint { hasPoint = true } else if !(48...57).contains(bytes[at]) { break }
      at += 1
    }
    if at > begin, at + 1 < bytes.count, bytes[at] & 0xDF == UInt8(ascii: "E"),
      (48...57).contains(bytes[at + 1]) || bytes[at + 1] == UInt8(ascii: "-") || bytes[at + 1] == UInt8(ascii: "+")
    {
      at += 2
      while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
    }
    guard at - begin < 64, let value = Double(String(decoding: bytes[begin..<at], as: UTF8.self)), value.isFinite,
      abs(value) <= 1e6
    else { return nil }
    return abs(value) < Self.nothing ? 0 : value
  }

  /// Numbers with spaces or commas between; nil for anything else.
  static func numbers(_ text: String) -> [Double]? {
    var reader = PathReader(bytes: Array(text.utf8))
    var values: [Double] = []
    reader.skip()
    while reader.at < reader.bytes.count {
      guard values.count < mostSteps, let value = reader.number() else { return nil }
      values.append(value)
      reader.skip()
    }
    return values
  }
}
