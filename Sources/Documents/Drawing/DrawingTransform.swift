/// A change of coordinates by the attribute `transform`: x' = a·x + c·y + e, y' = b·x + d·y + f.
struct DrawingTransform {
  var values: [Double]

  static func scale(_ x: Double, _ y: Double, from: SIMD2<Double>, to: SIMD2<Double>) -> DrawingTransform {
    DrawingTransform(values: [x, 0, 0, y, to.x - from.x * x, to.y - from.y * y])
  }

  /// nil when the text is not a list of known functions.
  static func read(_ text: String) -> [DrawingTransform]? {
    var all: [DrawingTransform] = []
    var rest = Substring(text.trimmed)
    while !rest.isEmpty {
      guard let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")"), all.count < 64,
        let numbers = PathReader.numbers(String(rest[rest.index(after: open)..<close])),
        let one = made(String(rest[..<open]).trimmed, numbers)
      else { return nil }
      all += one
      rest = rest[rest.index(after: close)...].drop { $0 == "," || $0.isWhitespace }
    }
    return all
  }

  private static func made(_ name: String, _ numbers: [Double]) -> [DrawingTransform]? {
    func one(_ values: Double...) -> [DrawingTransform] { [DrawingTransform(values: values)] }
    switch (name, numbers.count) {
    case ("matrix", 6): return [DrawingTransform(values: numbers)]
    case ("translate", 1): return one(1, 0, 0, 1, numbers[0], 0)
    case ("translate", 2): return one(1, 0, 0, 1, numbers[0], numbers[1])
    case ("scale", 1): return one(numbers[0], 0, 0, numbers[0], 0, 0)
    case ("scale", 2): return one(numbers[0], 0, 0, numbers[1], 0, 0)
    case ("rotate", 1), ("rotate", 3):
      let (sine, cosine) = Angle.sineCosine(degrees: numbers[0])
      let turn = one(cosine, sine, -sine, cosine, 0, 0)
      guard numbers.count == 3 else { return turn }
      return one(1, 0, 0, 1, numbers[1], numbers[2]) + turn + one(1, 0, 0, 1, -numbers[1], -numbers[2])
    case ("skewX", 1), ("skewY", 1):
      guard abs(numbers[0]) < 89 else { return nil }
      let slope = Angle.tangent(numbers[0] * .pi / 180)
      return name == "skewX" ? one(1, 0, slope, 1, 0, 0) : one(1, slope, 0, 1, 0, 0)
    default: return nil
    }
  }
}
