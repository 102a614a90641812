import Ink
import Testing

@Suite struct ValidationTests {
  private func refusal(of strokes: [Stroke], canvas: Canvas? = nil, device: String = "") -> String? {
    do {
      _ = try Ink(validating: strokes, canvas: canvas, device: device)
      return nil
    } catch {
      return error.description
    }
  }

  private func three(_ change: (inout StrokePoint) -> Void) -> [Stroke] {
    var last = stroke([(1, 1), (2, 2), (3, 3)])
    change(&last.points[2])
    return [stroke([(0, 0)]), last]
  }

  @Test(
    "a coordinate that is out of bounds is named, with its value and the bound",
    arguments: [
      (Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (100_001, "100001.0"),
      (-1e300, "-1e+300"),
    ])
  func coordinates(value: Double, spelled: String) {
    let requirement = "coordinates must be finite numbers between -100000 and 100000"
    #expect(refusal(of: three { $0.x = value }) == "strokes[1].points[2].x is \(spelled); \(requirement)")
    #expect(refusal(of: three { $0.y = value }) == "strokes[1].points[2].y is \(spelled); \(requirement)")
  }

  @Test("every other number of a point has a bound of its own")
  func otherNumbers() {
    #expect(refusal(of: three { $0.time = .nan })?.hasPrefix("strokes[1].points[2].time is NaN;") == true)
    #expect(refusal(of: three { $0.pressure = 1.5 })?.hasPrefix("strokes[1].points[2].pressure is 1.5;") == true)
    #expect(refusal(of: three { $0.altitude = -1 })?.hasPrefix("strokes[1].points[2].altitude is -1.0;") == true)
    #expect(refusal(of: three { $0.azimuth = 361 })?.hasPrefix("strokes[1].points[2].azimuth is 361.0;") == true)
  }

  @Test("time may stand still and step back as far as devices do, and no further")
  func time() {
    #expect(refusal(of: three { $0.time = 16 }) == nil)
    #expect(refusal(of: three { $0.time = -900 }) == nil)
    #expect(
      refusal(of: three { $0.time = -2984 })
        == "strokes[1].points[2].time is 3000.0 ms before the preceding point; "
        + "within a stroke time may step back by at most 1000 ms")
  }

  @Test("strokes without a single point are refused, empty ones among others are dropped")
  func empty() throws {
    #expect(refusal(of: []) == "strokes hold no point; a signature has at least one point")
    #expect(refusal(of: [stroke([]), stroke([])]) == "strokes hold no point; a signature has at least one point")
    #expect(try Ink(validating: [stroke([]), stroke([(5, 5)])]).strokes.count == 1)
  }

  @Test("a dot, a short line and a point drawn over and over are signatures")
  func tiny() throws {
    for places in [[(5.0, 5.0)], [(5, 5), (6, 5)], [(5, 5), (5, 5), (5, 5)]] {
      let picture = try renderer.render(Ink(validating: [stroke(places)]))
      #expect(try DecodedPNG(picture.bytes).ink().max() == 255)
    }
  }

  @Test("counts beyond the limits are refused with the count")
  func counts() {
    #expect(
      refusal(of: Array(repeating: stroke([(1, 1)]), count: 201))
        == "strokes has 201 strokes; a signature has at most 200 strokes")
    let long = Stroke(points: Array(repeating: StrokePoint(x: 1, y: 1, time: 0), count: 20_001))
    #expect(
      refusal(of: [stroke([(1, 1)]), long])
        == "strokes[1].points has 20001 points; a stroke has at most 20000 points")
    let full = Stroke(points: Array(repeating: StrokePoint(x: 1, y: 1, time: 0), count: 20_000))
    #expect(
      refusal(of: Array(repeating: full, count: 6))
        == "strokes has 120000 points; a signature has at most 100000 points")
  }

  @Test("a canvas, a pen and a device have bounds too")
  func surroundings() {
    let dot = [stroke([(1, 1)])]
    #expect(refusal(of: dot, canvas: Canvas(width: 0, height: 5))?.hasPrefix("canvas.width is 0.0;") == true)
    #expect(refusal(of: dot, canvas: Canvas(width: 5, height: .nan))?.hasPrefix("canvas.height is NaN;") == true)
    #expect(refusal(of: dot, device: String(repeating: "x", count: 300))?.hasPrefix("device has 300 bytes;") == true)
    let pen = Pen(minimumRadius: -2)
    #expect(
      refusal(of: [Stroke(points: dot[0].points, pen: pen)])?.hasPrefix("strokes[0].pen.minimumRadius is -2.0;") == true
    )
  }

  @Test("options out of bounds are refused before anything is drawn")
  func options() throws {
    let ink = try Ink(validating: [stroke([(1, 1)])], canvas: Canvas(width: 204, height: 100))
    let cases: [(RenderOptions, String)] = [
      (InkTests.options { $0.size = .pixels(width: 5000, height: 10) }, "options.size.width is 5000;"),
      (InkTests.options { $0.size = .pixels(width: 10, height: 0) }, "options.size.height is 0;"),
      (InkTests.options { $0.size = .scale(.nan) }, "options.size.scale is NaN;"),
      (InkTests.options { $0.penWidth = 0 }, "options.penWidth is 0.0;"),
      (InkTests.options { $0.frame = .trimmed(margin: -1) }, "options.frame.margin is -1.0;"),
      (InkTests.options { $0.dotsPerInch = 1e9 }, "options.dotsPerInch is 1000000000.0;"),
      (InkTests.options { $0.size = .scale(50) }, "picture.width is 10200;"),
    ]
    for (options, start) in cases {
      let error = try #require(throws: InkError.self) { try renderer.render(ink, options) }
      #expect(error.description.hasPrefix(start), "\(error)")
    }
  }

  @Test(
    "ink that is trimmed is scaled by less where its picture would be too large",
    arguments: [Rotation.none, .right])
  func largest(rotation: Rotation) throws {
    let wide = try Ink(validating: [stroke([(0, 0), (4090, 10)])], canvas: Canvas(width: 4096, height: 4096))
    for (margin, scale) in [(4.0, 1.0), (16, 2), (1000, 100)] {
      let options = InkTests.options {
        $0.frame = .trimmed(margin: margin)
        $0.size = .scale(scale)
        $0.rotation = rotation
      }
      let path = try renderer.path(wide, options)
      #expect(max(path.width, path.height) == InkLimits.pixels)
    }
    let options = InkTests.options { $0.frame = .trimmed(margin: 16) }
    let path = try renderer.path(try Ink(validating: [stroke([(0, 0), (60, 10)])]), options)
    #expect((90...100).contains(path.width), "what fits keeps its scale: \(path.width)")
  }
}
