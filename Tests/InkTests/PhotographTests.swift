import Base
import Ink
import InkSamples
import Pictures
import Testing

/// Photographs of signatures, as people take them: in a shadow, with a pencil, on ruled paper.
@Suite struct PhotographTests {
  /// What a photograph is taken of. All are as large as the sample signatures.
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    /// How much light falls on each place of the paper, of 255.
    var light: @Sendable (Int, Int) -> Int = { _, _ in 215 }
    /// How much of it the ink gives back, of 100.
    var ink = 25
    /// Lines of the paper, with as much of the light as they give back, of 100.
    var rules: Int?
    var noise = 5
    /// How many hundredths of what was drawn are found, at least.
    var found = 97

    var testDescription: String { name }
  }

  /// Half the light in the shadow, with an edge of some pixels.
  private static func shaded(_ depth: Int) -> Int { 215 - min(max(depth, 0), 4) * 29 }

  static let scenes = [
    Scene(name: "even light"),
    Scene(name: "light that falls off to a quarter", light: { x, _ in 230 - x * 170 / 600 }),
    Scene(name: "a shadow with a slanted edge through the signature", light: { x, y in shaded(x - y - 200) }),
    Scene(name: "the narrow end of a shadow", light: { x, y in shaded((x - 250) / 3 - abs(y - 100)) }, found: 85),
    Scene(name: "a shadow with a corner", light: { x, y in shaded(min(x - 300, y - 90)) }),
    Scene(name: "a faint pencil", ink: 78, noise: 3, found: 90),
    Scene(
      name: "a pencil across a shadow's edge", light: { x, y in shaded(x - y - 200) }, ink: 68, noise: 2, found: 85),
    Scene(name: "ruled paper", rules: 82),
    Scene(name: "paper that is not flat", light: { x, y in 185 + abs((x + 2 * y) % 240 - 120) / 4 }),
  ]

  @Test("the ink is found, and nothing else", arguments: scenes)
  func traced(scene: Scene) throws {
    let coverage = try Self.coverage(of: SampleSignature.reference.ink)
    let shapes = try Shapes(tracing: Self.photograph(scene, coverage))
    let original = try renderer.render(
      SampleSignature.reference.ink, options { ($0.format, $0.frame) = (.png(.eight), .trimmed(margin: 4)) })
    let redrawn = try renderer.render(shapes.letters, options { $0.format = .png(.eight) })
    let (before, after) = (try DecodedPNG(original.bytes), try DecodedPNG(redrawn.bytes))
    let (old, new) = (before.ink().count { $0 > 128 }, after.ink().count { $0 > 128 })
    // A shadow's end that was taken for ink, or lines of paper, would make the picture larger and darker.
    #expect(
      abs(after.width - before.width) <= 8 && abs(after.height - before.height) <= 8, "\(after.width)×\(after.height)")
    #expect(new * 100 >= old * scene.found && new * 100 <= old * 125, "\(new) of \(old)")
  }

  @Test(
    "an empty sheet is no signature, whatever light falls on it",
    arguments: scenes + [
      Scene(name: "much noise", noise: 20), Scene(name: "dark lines", rules: 55),
    ])
  func empty(scene: Scene) throws {
    let nothing = [Int](repeating: 0, count: 600 * 200)
    let error = #expect(throws: InkError.self) { try Shapes(tracing: Self.photograph(scene, nothing)) }
    #expect(error?.finding == "shows no ink", "\(error.map { "\($0)" } ?? "")")
  }

  @Test("dirt on an empty sheet is no signature")
  func dirt() throws {
    var coverage = [Int](repeating: 0, count: 600 * 200)
    for place in [(50, 40), (300, 100), (551, 190)] {
      for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2)] {
        coverage[(place.1 + y) * 600 + place.0 + x] = 255
      }
    }
    let error = #expect(throws: InkError.self) { try Shapes(tracing: Self.photograph(Scene(name: "dirt"), coverage)) }
    #expect(error?.finding == "shows no ink")
  }

  private static func coverage(of ink: Ink) throws -> [Int] {
    let picture = try renderer.render(ink, options { $0.format = .png(.eight) })
    return try DecodedPNG(picture.bytes).ink()
  }

  private static func photograph(_ scene: Scene, _ coverage: [Int]) -> Bitmap {
    var random = SeededGenerator(seed: 11)
    var rgba: [UInt8] = []
    for place in coverage.indices {
      let (x, y) = (place % 600, place / 600)
      var light = scene.light(x, y)
      // The camera is not held quite straight.
      if let rules = scene.rules, (y + x / 60) % 24 < 2 { light = light * rules / 100 }
      let seen = light * (25_500 - coverage[place] * (100 - scene.ink)) / 25_500
      let value = UInt8(clamping: seen + Int.random(in: -scene.noise...scene.noise, using: &random))
      rgba += [value, value, UInt8(clamping: Int(value) - 10), 255]
    }
    return Bitmap(width: 600, height: 200, rgba: rgba)
  }
}
