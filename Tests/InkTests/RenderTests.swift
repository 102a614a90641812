import Base
import Ink
import InkSamples
import Testing

@Suite struct RenderTests {
  private let ink = SampleSignature.all[6].ink

  private func decoded(_ change: (inout RenderOptions) -> Void = { _ in }) throws -> DecodedPNG {
    try DecodedPNG(renderer.render(ink, options(change)).bytes)
  }

  @Test("every depth shows the same ink in its own number of steps")
  func depths() throws {
    let fine = try decoded { $0.format = .png(.eight) }.ink()
    for (depth, most) in [(BitDepth.four, 9), (.one, 128)] {
      let coarse = try decoded { $0.format = .png(depth) }
      #expect(coarse.depth == depth.rawValue)
      #expect(zip(coarse.ink(), fine).allSatisfy { abs($0 - $1) <= most })
    }
  }

  @Test("black on white is grey; any other ink or paper is a palette from one to the other")
  func palette() throws {
    #expect(try decoded().colorType == 0)
    let blue = try #require(Color(hex: "#1020c0"))
    let png = try decoded {
      $0.ink = blue
      $0.paper = Color(hex: "#fff0e0")
    }
    #expect(png.colorType == 3)
    let ramp = try #require(png.body("PLTE"))
    #expect(ramp.count == 48 && ramp.prefix(3) == [0xFF, 0xF0, 0xE0] && ramp.suffix(3) == [0x10, 0x20, 0xC0])
    #expect(png.body("tRNS") == nil)
    #expect(try png.ink() == decoded().ink())
  }

  @Test("without paper the palette goes from transparent to full ink")
  func transparent() throws {
    let png = try decoded { $0.paper = nil }
    let ramp = try #require(png.body("PLTE")), opacity = try #require(png.body("tRNS"))
    #expect(ramp.allSatisfy { $0 == 0 })
    #expect(opacity == (0..<15).map { UInt8($0 * 17) })
  }

  @Test("a density is written as pixels per metre, and changes no pixel")
  func density() throws {
    let png = try decoded { $0.dotsPerInch = 300 }
    #expect(png.body("pHYs") == [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
    #expect(try png.rows == decoded().rows)
  }

  @Test("trimming keeps all the ink and leaves no empty edge")
  func trimmed() throws {
    let whole = try decoded { $0.format = .png(.eight) }
    let png = try decoded {
      $0.frame = .trimmed(margin: 0)
      $0.format = .png(.eight)
    }
    #expect(png.width < whole.width && png.height < whole.height)
    let ink = png.ink()
    let sums = (whole.ink().reduce(0, +), ink.reduce(0, +))
    #expect(abs(sums.0 - sums.1) * 50 < sums.0)
    func row(_ y: Int) -> Int { ink[y * png.width..<(y + 1) * png.width].reduce(0, +) }
    func column(_ x: Int) -> Int { stride(from: x, to: ink.count, by: png.width).reduce(0) { $0 + ink[$1] } }
    #expect(row(0) + row(1) > 0 && row(png.height - 1) + row(png.height - 2) > 0)
    #expect(column(0) + column(1) > 0 && column(png.width - 1) + column(png.width - 2) > 0)
  }

  @Test("a picture twice as large has lines twice as wide")
  func scale() throws {
    let small = try decoded { $0.format = .png(.eight) }
    let large = try decoded {
      $0.format = .png(.eight)
      $0.size = .scale(2)
    }
    #expect((large.width, large.height) == (1200, 400))
    // Four times the area, so four times the ink.
    let ratio = Double(large.ink().reduce(0, +)) / Double(small.ink().reduce(0, +))
    #expect((3.9...4.1).contains(ratio))
  }

  @Test("a picture of given pixels is filled as far as the frame's shape allows, and centred")
  func fitted() throws {
    let png = try decoded { $0.size = .pixels(width: 300, height: 300) }
    #expect((png.width, png.height) == (300, 300))
    let ink = png.ink()
    let rows = (0..<300).filter { row in ink[row * 300..<(row + 1) * 300].contains { $0 > 0 } }
    #expect(try #require(rows.first) >= 100 && #require(rows.last) < 200)
  }

  @Test("four quarter turns change nothing, and each one moves every pixel to its right place")
  func rotation() throws {
    let upright = try decoded { $0.format = .png(.eight) }.ink()
    let turned = try Rotation.allCases.map { rotation in
      try decoded {
        $0.format = .png(.eight)
        $0.rotation = rotation
      }
    }
    #expect((turned[1].width, turned[1].height) == (200, 600))
    let (none, right, half, left) = (turned[0].ink(), turned[1].ink(), turned[2].ink(), turned[3].ink())
    #expect(none == upright)
    var worst = 0
    for y in stride(from: 0, to: 200, by: 3) {
      for x in 0..<600 {
        let here = upright[y * 600 + x]
        worst = max(worst, abs(here - right[x * 200 + 199 - y]))
        worst = max(worst, abs(here - half[(199 - y) * 600 + 599 - x]))
        worst = max(worst, abs(here - left[(599 - x) * 200 + y]))
      }
    }
    // The same sums in another order may round differently.
    #expect(worst <= 2)
  }

  @Test("the position of a signature on the plane does not change its picture")
  func translation() throws {
    let moved = ink.strokes.map { stroke in
      Stroke(
        points: stroke.points.map {
          var point = $0
          point.x += 90_000
          point.y -= 70_000
          return point
        }, pen: stroke.pen)
    }
    let trimmed = options { $0.frame = .trimmed(margin: 4) }
    #expect(try renderer.render(Ink(validating: moved), trimmed).bytes == renderer.render(ink, trimmed).bytes)
  }

  @Test("ink beyond the canvas is cut off at its edge")
  func clipped() throws {
    let outside = try Ink(
      validating: [stroke([(-90, 50), (-20, 40), (50, 50), (900, 60)])], canvas: Canvas(width: 99, height: 99))
    let png = try DecodedPNG(renderer.render(outside).bytes)
    #expect((png.width, png.height) == (99, 99))
    let ink = png.ink()
    #expect((0..<99).contains { ink[$0 * 99] > 0 } && (0..<99).contains { ink[$0 * 99 + 98] > 0 })
  }

  @Test("pictures drawn at the same time by several threads are the same as one drawn alone")
  func concurrent() async throws {
    let alone = try renderer.render(ink).bytes
    let ink = ink
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 { group.addTask { try renderer.render(ink).bytes } }
      for try await bytes in group { #expect(bytes == alone) }
    }
  }

  @Test("a key is the same for equal strokes and options, and differs for any other")
  func key() throws {
    let hash = StrokeBlob(ink).hash
    let variants: [RenderOptions] = [
      RenderOptions(), options { $0.look = .ink1 }, options { $0.format = .png(.eight) }, options { $0.format = .svg },
      options { $0.frame = .trimmed(margin: 0) }, options { $0.frame = .trimmed(margin: 1) },
      options { $0.size = .scale(2) }, options { $0.size = .pixels(width: 600, height: 200) },
      options { $0.rotation = .right }, options { $0.penWidth = 3 }, options { $0.ink = .white },
      options { $0.paper = nil }, options { $0.dotsPerInch = 96 },
    ]
    let keys = variants.map { Renderer.key(strokes: hash, $0) }
    #expect(Set(keys).count == variants.count)
    #expect(keys == variants.map { Renderer.key(strokes: hash, $0) })
    #expect(Renderer.key(strokes: Digest(of: []), RenderOptions()) != keys[0])
  }

  @Test("strokes that would take minutes to draw are refused in bounded time")
  func budget() throws {
    let thick = Stroke(
      points: (0..<20_000).map { StrokePoint(x: $0.isMultiple(of: 2) ? 0 : 4000, y: Double($0 % 4000), time: 0) },
      pen: Pen(minimumRadius: 100, maximumRadius: 100))
    let huge = try Ink(validating: [thick], canvas: Canvas(width: 4096, height: 4096))
    let budget = DrawingBudget(steps: 1 << 18)
    let error = try #require(throws: InkError.self) { try renderer.render(huge, RenderOptions(), budget) }
    #expect(error.cause == .tooMuch)
    #expect(
      error.description
        == "strokes take more than 262144 steps to draw; draw fewer or shorter lines, smaller or with a thinner pen")
  }
}
