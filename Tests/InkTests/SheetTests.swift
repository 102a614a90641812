import Base
import Ink
import InkSamples
import Pictures
import Testing

/// Photographs of a signed sheet that lies on a desk: it is found and straightened, or refused with the reason.
@Suite struct SheetTests {
  /// How a sheet of 800 × 560 is photographed, 1000 × 800.
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    /// Where its corners are seen, from the top left, clockwise.
    var corners: [SIMD2<Double>]
    /// How much light the desk gives back, of 255, where the paper gives back all.
    var desk = 70
    /// How much light falls on each place of the picture, of 255.
    var light: @Sendable (Int, Int) -> Int = { _, _ in 225 }
    /// Where on the sheet the signature's canvas begins.
    var signature = (x: 100, y: 180)
    /// Whether something lies on a place of the picture.
    var covered: @Sendable (Int, Int) -> Bool = { _, _ in false }

    var testDescription: String { name }
  }

  /// A sheet of this width that lies askew in the middle.
  private static func askew(_ degrees: Double, width: Double = 700) -> [SIMD2<Double>] {
    // Rational, as turns of a whole number of degrees need not be exact.
    let t = degrees * 3.141592653589793 / 360, tangent = t + t * t * t / 3
    let (cosine, sine) = ((1 - tangent * tangent) / (1 + tangent * tangent), 2 * tangent / (1 + tangent * tangent))
    let (x, y) = (width / 2, width * 0.35)
    return [(-x, -y), (x, -y), (x, y), (-x, y)].map { x, y in
      SIMD2(500 + x * cosine - y * sine, 400 + x * sine + y * cosine)
    }
  }

  /// Seen from the side under 35 degrees, by a camera that is turned by 10 degrees.
  private static let fromTheSide: [SIMD2<Double>] = [(-400, -280), (400, -280), (400, 280), (-400, 280)].map { x, y in
    let distance = 1225 - 0.5736 * y
    let (across, down) = (900 * x / distance, 900 * 0.8192 * y / distance)
    return SIMD2(500 + 0.9848 * across - 0.1736 * down, 400 + 0.1736 * across + 0.9848 * down)
  }

  static let scenes = [
    Scene(name: "straight", corners: askew(0)),
    Scene(name: "askew by 5 degrees", corners: askew(5)), Scene(name: "askew by -5 degrees", corners: askew(-5)),
    Scene(name: "askew by 15 degrees", corners: askew(15)), Scene(name: "askew by 25 degrees", corners: askew(25)),
    Scene(name: "askew by -25 degrees", corners: askew(-25)),
    Scene(name: "from the side", corners: fromTheSide),
    Scene(name: "from the side, in light that falls off", corners: fromTheSide, light: { x, _ in 240 - x / 8 }),
    Scene(name: "a shadow across sheet and desk", corners: askew(15), light: { x, y in x > y + 150 ? 120 : 225 }),
    Scene(name: "on wood", corners: askew(-5), desk: 150, light: { x, y in 225 + (x + y / 9) % 60 / 6 }),
    Scene(name: "nearly as large as the picture", corners: [[30, 80], [960, 65], [970, 725], [22, 715]]),
  ]

  @Test("the sheet is straightened, and the signature is found on it", arguments: scenes)
  func found(scene: Scene) throws {
    let shapes = try Shapes(tracing: Self.photograph(scene, Self.coverage()))
    let original = try renderer.render(
      SampleSignature.reference.ink, options { ($0.format, $0.frame) = (.png(.eight), .trimmed(margin: 4)) })
    let redrawn = try renderer.render(shapes.letters, options { $0.format = .png(.eight) })
    let shape = Double(shapes.width) / Double(shapes.height) * Double(original.height) / Double(original.width)
    #expect((0.93...1.07).contains(shape), "\(shapes.width) × \(shapes.height)")
    let (old, new) = (try DecodedPNG(original.bytes), try DecodedPNG(redrawn.bytes))
    let (right, whole) = (Self.share(of: new, in: old), Self.share(of: old, in: new))
    #expect(right > 0.9 && whole > 0.9, "\(right) of what was found was drawn, \(whole) of what was drawn was found")
  }

  static let unfit = [
    (Scene(name: "a bright desk", corners: askew(5), desk: 215), "on something nearly as bright"),
    (Scene(name: "far away", corners: askew(5, width: 260)), "from too far away"),
    (
      Scene(name: "a hand on a corner", corners: askew(5), covered: { x, y in x > 640 && y > 480 }),
      "not all four corners are seen"
    ),
    (
      Scene(
        name: "a round sheet", corners: askew(0),
        covered: { x, y in
          (x - 500) * (x - 500) + (y - 400) * (y - 400) > 230 * 230
        }), "not all four corners are seen"
    ),
    (
      Scene(name: "too much from the side", corners: [[400, 300], [600, 300], [960, 720], [40, 720]]), "from the side"
    ),
    (Scene(name: "ink over the edge", corners: askew(5), signature: (300, 180)), "ink at the edge"),
    (
      Scene(
        name: "a shadow as dark as the desk beside it", corners: askew(0), desk: 110,
        light: { x, _ in x > 520 ? 105 : 235 }), "ink at the edge"
    ),
  ]

  @Test("what cannot be straightened safely is refused, and the reason helps", arguments: unfit)
  func refused(scene: Scene, words: String) throws {
    let error = #expect(throws: InkError.self) { try Shapes(tracing: Self.photograph(scene, try Self.coverage())) }
    #expect(error?.finding.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.requirement.isEmpty == false)
  }

  @Test("a desk as bright as the paper, and light that falls off to all sides, change nothing")
  func noSheet() throws {
    let coverage = try Self.coverage()
    let plain = try Shapes(
      tracing: Self.photograph(Scene(name: "no desk", corners: Self.askew(0), desk: 255), coverage))
    let fading = try Shapes(
      tracing: Self.photograph(
        Scene(name: "light in the middle", corners: Self.askew(0), desk: 255) { x, y in
          235 - ((x - 500) * (x - 500) + (y - 400) * (y - 400)) / 3500
        }, coverage))
    // The sheet is not found, so the signature is as large as it is in the picture.
    let original = try renderer.render(
      SampleSignature.reference.ink, options { ($0.format, $0.frame) = (.png(.eight), .trimmed(margin: 4)) })
    for shapes in [plain, fading] { #expect(abs(shapes.width - original.width * 7 / 8) < 12, "\(shapes.width)") }
  }

  /// The signature on its canvas.
  private static func coverage() throws -> [Int] {
    let picture = try renderer.render(SampleSignature.reference.ink, options { $0.format = .png(.eight) })
    return try DecodedPNG(picture.bytes).ink()
  }

  /// How much of what is dark in one picture is dark in the other, which may have another size, two pixels beside it at
  /// most.
  private static func share(of one: DecodedPNG, in other: DecodedPNG) -> Double {
    let (ink, near) = (one.ink(), other.ink())
    let dark = ink.indices.filter { ink[$0] > 160 }
    let found = dark.filter { place in
      let x = place % one.width * other.width / one.width, y = place / one.width * other.height / one.height
      return (max(0, y - 2)...min(other.height - 1, y + 2)).contains { row in
        (max(0, x - 2)...min(other.width - 1, x + 2)).contains { near[row * other.width + $0] > 96 }
      }
    }
    return Double(found.count) / Double(max(1, dark.count))
  }

  private static func photograph(_ scene: Scene, _ coverage: [Int]) -> Bitmap {
    let camera = Camera(of: scene.corners)
    var random = SeededGenerator(seed: 5)
    var rgba: [UInt8] = []
    rgba.reserveCapacity(1000 * 800 * 4)
    for y in 0..<800 {
      for x in 0..<1000 {
        var light = scene.light(x, y) * scene.desk / 255
        let place = camera.onSheet(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
        if let place, !scene.covered(x, y) {
          let (across, down) = (Int(place.x * 800) - scene.signature.x, Int(place.y * 560) - scene.signature.y)
          let isInk = (0..<600).contains(across) && (0..<200).contains(down)
          light = scene.light(x, y) * (255 - (isInk ? coverage[down * 600 + across] * 3 / 4 : 0)) / 255
        }
        let value = UInt8(clamping: light + Int.random(in: -4...4, using: &random))
        rgba += [value, value, UInt8(clamping: Int(value) - 8), 255]
      }
    }
    return Bitmap(width: 1000, height: 800, rgba: rgba)
  }

  /// Where a place of the picture is on the sheet: the projective mapping the other way round.
  private struct Camera {
    private var rows: [SIMD3<Double>] = []

    init(of corners: [SIMD2<Double>]) {
      // The matrix that takes a triangle's corners and a fourth point there, inverted.
      func homogeneous(_ place: SIMD2<Double>) -> SIMD3<Double> { SIMD3(place.x, place.y, 1) }
      let (one, two, three, four) = (
        homogeneous(corners[0]), homogeneous(corners[1]), homogeneous(corners[3]), homogeneous(corners[2])
      )
      // Each place is a sum of three corners, so weighted that the fourth has equal parts but for the first's sign.
      let volume = (Self.cross(one, two) * three).sum()
      let weights =
        SIMD3(
          -(Self.cross(two, three) * four).sum(), (Self.cross(three, one) * four).sum(),
          (Self.cross(one, two) * four).sum()) / volume
      // The square's places u, v are sums of its corners, too: (0, 0) with 1 - u - v, (1, 0) with u, (0, 1) with v.
      rows = [
        Self.cross(two, three) / (volume * weights.x), Self.cross(three, one) / (volume * weights.y),
        Self.cross(one, two) / (volume * weights.z),
      ]
    }

    func onSheet(_ place: SIMD2<Double>) -> SIMD2<Double>? {
      let parts = rows.map { ($0 * SIMD3(place.x, place.y, 1)).sum() }
      let whole = parts.reduce(0, +)
      let found = SIMD2(parts[1] / whole, parts[2] / whole)
      return whole > 0 && found.min() >= 0 && found.max() <= 1 ? found : nil
    }

    private static func cross(_ one: SIMD3<Double>, _ two: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(one.y * two.z - one.z * two.y, one.z * two.x - one.x * two.z, one.x * two.y - one.y * two.x)
    }
  }
}
