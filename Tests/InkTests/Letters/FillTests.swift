import Base
import Ink
import Testing

/// Letters as pictures: how much of each pixel is covered, and that every format shows the same.
@Suite struct FillTests {
  typealias Place = SIMD2<Float>

  private func contour(_ places: [Place]) -> Letters.Contour {
    var contour = Letters.Contour(start: places[0])
    contour.edges = places.dropFirst().map { .line($0) }
    return contour
  }

  private func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> Letters.Contour {
    contour([Place(left, top), Place(right, top), Place(right, bottom), Place(left, bottom)])
  }

  /// A circle of four cubic curves, the usual way.
  private func circle(_ centre: Place, _ radius: Float, reversed: Bool = false) -> Letters.Contour {
    let reach = radius * 0.552_284_75
    var across = Place(radius, 0), along = Place(0, reversed ? -reach : reach)
    var circle = Letters.Contour(start: centre + across)
    for _ in 0..<4 {
      let next = along * (radius / reach)
      let arriving = across * (reach / radius)
      circle.edges.append(.cubic(centre + across + along, centre + next + arriving, centre + next))
      (across, along) = (next, -arriving)
    }
    return circle
  }

  private func letters(_ contours: [Letters.Contour], _ width: Double, _ height: Double) -> Letters {
    Letters(contours: contours, canvas: Canvas(width: width, height: height), hash: Digest(of: []))
  }

  private func ink(_ contours: [Letters.Contour], _ width: Int, _ height: Int) throws -> [Int] {
    let picture = try renderer.render(
      letters(contours, Double(width), Double(height)), options { $0.format = .png(.eight) })
    return try DecodedPNG(picture.bytes).ink()
  }

  @Test("a pixel is as dark as the share of it that is covered")
  func shares() throws {
    #expect(try ink([rectangle(0.25, 0, 2.5, 1)], 4, 1) == [191, 255, 128, 0])
    #expect(try ink([rectangle(0, 0.25, 1, 2.5)], 1, 4) == [191, 255, 128, 0])
    #expect(try ink([contour([Place(0, 0), Place(2, 2), Place(0, 2)])], 2, 2) == [128, 0, 255, 128])
    // A slanted line through four pixels of a row leaves eighths of them.
    let slanted = try ink([contour([Place(0, 0), Place(4, 1), Place(0, 1)])], 4, 1)
    #expect(slanted == [223, 159, 96, 32])
  }

  @Test("the direction of a letter's outline does not matter; a hole runs the other way; overlaps count once")
  func winding() throws {
    let square = rectangle(1, 1, 5, 5), reversed = contour([Place(1, 1), Place(1, 5), Place(5, 5), Place(5, 1)])
    #expect(try ink([square], 6, 6) == ink([reversed], 6, 6))
    let hole = contour([Place(2, 2), Place(2, 4), Place(4, 4), Place(4, 2)])
    let ring = try ink([square, hole], 6, 6)
    #expect(ring[2 * 6 + 1] == 255 && ring[2 * 6 + 2] == 0 && ring[3 * 6 + 3] == 0)
    #expect(try ink([square, rectangle(2, 2, 4, 4)], 6, 6) == ink([square], 6, 6))
  }

  @Test("outlines beyond the picture's sides change nothing within")
  func clipping() throws {
    let wide = contour([Place(-1000, -500), Place(1000, -500), Place(1000, 500), Place(-1000, 500)])
    #expect(try ink([wide], 5, 5).allSatisfy { $0 == 255 })
    for far in [rectangle(-90, 0, -1, 5), rectangle(6, 0, 90, 5), rectangle(0, -9, 5, -1), rectangle(0, 6, 5, 9)] {
      #expect(try ink([far], 5, 5).allSatisfy { $0 == 0 })
    }
    // A long slanted edge across two sides: half of the picture.
    let half = try ink([contour([Place(-10, -10), Place(15, 15), Place(-10, 15)])], 5, 5)
    for y in 0..<5 {
      for x in 0..<5 { #expect(half[y * 5 + x] == (x < y ? 255 : x == y ? 128 : 0), "\(x), \(y)") }
    }
  }

  @Test("a ring is exact to the precision of eight bits, also where bands of rows meet")
  func exactness() throws {
    let centre = Place(100.3, 90.7)
    let shown = try ink([circle(centre, 80), circle(centre, 60, reversed: true)], 200, 180)
    let samples = 16
    var worst = 0.0, sum = 0
    for y in 0..<180 {
      for x in 0..<200 {
        var inside = 0
        for sample in 0..<samples * samples {
          let dx = Double(x) + (Double(sample % samples) + 0.5) / Double(samples) - Double(centre.x)
          let dy = Double(y) + (Double(sample / samples) + 0.5) / Double(samples) - Double(centre.y)
          let squared = dx * dx + dy * dy
          if squared < 6400, squared > 3600 { inside += 1 }
        }
        worst = max(worst, abs(Double(shown[y * 200 + x]) - Double(inside) * 255 / Double(samples * samples)))
        sum += shown[y * 200 + x]
      }
    }
    // Four cubic curves differ from a circle by three ten-thousandths of its radius; the samples themselves err by two
    // steps.
    #expect(worst < 9, "\(worst)")
    let area = Double(sum) / 255, ideal = Double.pi * (6400 - 3600)
    #expect(abs(area / ideal - 1) < 0.001, "\(area) of \(ideal)")
  }

  @Test("letters give the same pixels everywhere, in every version")
  func golden() throws {
    let shapes = [
      circle(Place(60, 40), 30), circle(Place(62, 41), 18, reversed: true), rectangle(20.3, 10.7, 31.9, 77.1),
    ]
    let picture = try renderer.render(
      letters(shapes, 120, 80),
      options {
        $0.size = .scale(2.7)
        $0.rotation = .right
      })
    let hash = Digest(of: try DecodedPNG(picture.bytes).rows).hex
    #expect(hash == "af6e4e8b0d93b7ff9cc0fd4a9e60faba22ed2786004664a23c3479f848ad1325")
  }

  @Test("librsvg draws the same from the SVG as the rasteriser, and the PDF holds the same curves")
  func formats() async throws {
    let folder = try TemporaryFolder()
    let shapes = letters(
      [circle(Place(60, 40), 30), circle(Place(62, 41), 18, reversed: true), rectangle(20.3, 10.7, 31.9, 77.1)], 120, 80
    )
    let svg = try renderer.render(shapes, options { $0.format = .svg })
    try Files.write(svg.bytes, to: folder.file("in.svg"))
    let (exit, _) = try await ChildProcess.output(
      of: ChildCommand("rsvg-convert", ["-o", folder.file("out.png"), folder.file("in.svg")]))
    #expect(exit.isSuccess)
    let drawn = try PlainPNG.ink(Files.read(folder.file("out.png")))
    let own = try ink(shapes.contours, 120, 80)
    let differences = zip(drawn, own).map { Double(($0 - $1) * ($0 - $1)) }
    let inked = own.count { $0 > 0 }
    let rms = (differences.reduce(0, +) / Double(inked)).squareRoot()
    #expect(rms < 4, "\(rms)")
    let path = String(decoding: try renderer.path(shapes).operators, as: UTF8.self)
    #expect(path.hasSuffix("h\nf\n") && path.contains(" c\n") && path.contains(" l\n"))
    #expect(try renderer.render(shapes, options { $0.format = .pdf }).bytes.starts(with: Array("%PDF".utf8)))
  }
}
