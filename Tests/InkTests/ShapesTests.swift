import Base
import Ink
import InkSamples
import Pictures
import Testing

/// Uploaded images: the paper is removed, the ink is followed, cropped and kept as outlines.
@Suite struct ShapesTests {
  /// A photograph of a signature: ink on paper that is yellow, darker to the right, and noisy.
  private static func photograph(_ ink: Ink, width: Int = 600, height: Int = 200, dust: Bool = true) throws -> Bitmap {
    let picture = try renderer.render(ink, options { $0.format = .png(.eight) })
    let coverage = try DecodedPNG(picture.bytes).ink()
    var random = SeededGenerator(seed: 7)
    var rgba: [UInt8] = []
    for place in coverage.indices {
      let light = 250 - place % width / 8 + Int.random(in: -6...6, using: &random)
      let isDust = dust && place % 9_973 == 0
      let left = isDust ? 40 : light - (light - 40) * coverage[place] / 255
      rgba += [UInt8(clamping: left), UInt8(clamping: left - 4), UInt8(clamping: left - 25), 255]
    }
    return Bitmap(width: width, height: height, rgba: rgba)
  }

  @Test("a photograph becomes the ink that was photographed, without shadow, dust and empty paper")
  func traced() throws {
    let ink = try Ink(
      validating: SampleSignature.reference.ink.strokes, canvas: Canvas(width: 600, height: 200))
    let shapes = try Shapes(tracing: try Self.photograph(ink))
    // Four pixels stay free around it, as in the picture that it is compared with.
    let original = try renderer.render(
      ink, options { ($0.format, $0.frame) = (.png(.eight), .trimmed(margin: 4)) })
    #expect(abs(shapes.width - original.width) <= 3 && abs(shapes.height - original.height) <= 3)
    let redrawn = try renderer.render(shapes.letters, options { $0.format = .png(.eight) })
    let (before, after) = (try DecodedPNG(original.bytes), try DecodedPNG(redrawn.bytes))
    let (old, new) = (before.ink(), after.ink())
    // The share of inked pixels that have ink in the other picture too, within a pixel.
    func isNear(_ pixels: [Int], _ width: Int, _ height: Int, _ x: Int, _ y: Int) -> Bool {
      (-1...1).contains { down in
        (-1...1).contains { across in
          let (column, row) = (x + across, y + down)
          return (0..<width).contains(column) && (0..<height).contains(row) && pixels[row * width + column] > 96
        }
      }
    }
    let inked = old.indices.filter { old[$0] > 200 }
    let found = inked.filter { isNear(new, after.width, after.height, $0 % before.width, $0 / before.width) }
    let drawn = new.indices.filter { new[$0] > 200 }
    let right = drawn.filter { isNear(old, before.width, before.height, $0 % after.width, $0 / after.width) }
    #expect(inked.count > 1000 && found.count * 100 > inked.count * 98, "\(found.count) of \(inked.count)")
    #expect(drawn.count > 1000 && right.count * 100 > drawn.count * 98, "\(right.count) of \(drawn.count)")
    #expect(shapes.bytes.count < 16_000, "\(shapes.bytes.count)")
  }

  @Test("a ring keeps its hole, see-through paper is paper, and a large image is made smaller")
  func rings() throws {
    let side = 2400
    let blue: [UInt8] = [0, 0, 90, 255], nothing: [UInt8] = [0, 0, 0, 0]
    var rgba: [UInt8] = []
    for y in -1200..<1200 {
      for x in -1200..<1200 { rgba += (700 * 700...800 * 800).contains(x * x + y * y) ? blue : nothing }
    }
    let shapes = try Shapes(tracing: Bitmap(width: side, height: side, rgba: rgba))
    #expect(shapes.contours.count == 2 && abs(shapes.width - 808) <= 2 && abs(shapes.height - 808) <= 2)
    let picture = try DecodedPNG(try renderer.render(shapes.letters, options { $0.format = .png(.eight) }).bytes)
    let pixels = picture.ink()
    let middle = picture.height / 2 * picture.width
    #expect(pixels[middle + picture.width / 2] == 0 && pixels[middle + 30] == 255)
    let area = pixels.reduce(0, +) / 255
    #expect(abs(area - 117_810) < 1500, "π (400² − 350²) is 117,810, not \(area)")
  }

  @Test("paper without ink, a dark image and one full of specks are refused with the reason")
  func refused() throws {
    func image(_ width: Int, _ height: Int, isDark: (Int, Int) -> Bool) -> Bitmap {
      var rgba: [UInt8] = []
      for row in 0..<height {
        for column in 0..<width {
          let grey: UInt8 = isDark(column, row) ? 20 : 250
          rgba += [grey, grey, grey, 255]
        }
      }
      return Bitmap(width: width, height: height, rgba: rgba)
    }
    let blank = image(300, 100) { _, _ in false }
    let speckled = image(1000, 1000) { $0 % 8 < 4 && $1 % 8 < 4 }
    let dark = image(300, 300) { $0 % 50 < 25 || $1 % 50 < 10 }
    for (image, words) in [(blank, "shows no ink"), (speckled, "too many small parts"), (dark, "is dark in more")] {
      let error = #expect(throws: InkError.self) { try Shapes(tracing: image) }
      #expect(error?.finding.contains(words) == true, "\(words): \(String(describing: error))")
    }
  }

  @Test("the stored form is read back, with its words, and no other form of the same is")
  func stored() throws {
    let shapes = try Shapes(
      validating: [[[0, 0], [160, 0], [160, 80]], [[16, 16], [16, 32], [32, 32]]], width: 20, height: 16,
      inscription: Inscription(name: "Ada", reason: "I agree"))
    #expect(try Shapes.read(shapes.bytes) == shapes)
    #expect(try StoredSignature.read(shapes.bytes) == .shapes(shapes))
    #expect(Shapes.isStored(shapes.bytes) && !StoredSignature.isStrokesAlone(shapes.bytes))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var bytes = shapes.bytes
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      if let read = try? Shapes.read(bytes) { #expect(read.bytes == bytes) }
      #expect((try? Shapes.read(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))) == nil)
    }
    for contours: [[Shapes.Corner]] in [[], [[[0, 0], [16, 0]]], [[[0, 0], [321, 0], [0, 16]]]] {
      #expect(throws: InkError.self) { try Shapes(validating: contours, width: 20, height: 10) }
    }
  }
}
