import Base
import Ink
import InkSamples
import TestSupport
import Testing

/// Other programs read our files.
@Suite struct AcceptanceTests {
  /// A browser is large: only scripts/test --long installs and runs one.
  private static let isLong = LongTests.areWanted

  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let command = ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + arguments)
    let (exit, lines) = try await ChildProcess.output(of: command)
    return "\(exit)\n" + lines.joined(separator: "\n")
  }

  @Test("pngcheck finds nothing wrong with any kind of PNG")
  func png() async throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for depth in BitDepth.allCases {
      for paper in [Color.white, Color(red: 255, green: 250, blue: 240), nil] {
        let file = folder.file("\(files.count).png")
        let picture = try renderer.render(
          SampleSignature.all[18].ink,
          options {
            $0.format = .png(depth)
            $0.paper = paper
            $0.dotsPerInch = 144
            $0.size = .pixels(width: 123, height: 45)
          })
        try Files.write(picture.bytes, to: file)
        files.append(file)
      }
    }
    let said = try await run("pngcheck", ["-q"] + files)
    #expect(said == "ended with 0\n")
    withExtendedLifetime(folder) {}
  }

  @Test("librsvg draws the same picture from our SVG as our rasteriser", arguments: Look.allCases)
  func svg(look: Look) async throws {
    let folder = try TemporaryFolder()
    let ink = SampleSignature.all[6].ink
    let svg = try renderer.render(
      ink,
      options {
        $0.look = look
        $0.format = .svg
      })
    try Files.write(svg.bytes, to: folder.file("in.svg"))
    let said = try await run("rsvg-convert", ["-o", folder.file("out.png"), folder.file("in.svg")])
    #expect(said == "ended with 0\n")
    let drawn = try PlainPNG.ink(Files.read(folder.file("out.png")))
    let own = try DecodedPNG(
      renderer.render(
        ink,
        options {
          $0.look = look
          $0.format = .png(.eight)
        }
      ).bytes
    ).ink()
    #expect(drawn.count == own.count)
    var sum = 0.0, inked = 0.0
    for (one, other) in zip(drawn, own) where one + other > 0 {
      sum += Double((one - other) * (one - other))
      inked += 1
    }
    #expect((sum / inked).squareRoot() < 12)
    withExtendedLifetime(folder) {}
  }

  @Test("what an eraser took away is missing in every kind of picture", arguments: [PictureFormat.svg, .pdf])
  func eraser(format: PictureFormat) async throws {
    let line = (0...40).map { StrokePoint(x: 20 + Double($0) * 4, y: 50, time: Double($0) * 16) }
    // A loop, so that the eraser's line lies over itself.
    let loop = (0...40).map { step in
      let share = Double(step) / 20
      return StrokePoint(
        x: 100 + (share < 1 ? share - 0.5 : 1.5 - share) * 30, y: 40 + share * 10, time: Double(step) * 16)
    }
    let again = [StrokePoint(x: 60, y: 80, time: 0), StrokePoint(x: 140, y: 80, time: 30)]
    let ink = try Ink(
      validating: [
        Stroke(points: line), Stroke(points: loop, pen: Pen(minimumRadius: 6, maximumRadius: 6, erases: true)),
        Stroke(points: again),
      ], canvas: Canvas(width: 200, height: 100))
    let own = try DecodedPNG(renderer.render(ink, options { $0.format = .png(.eight) }).bytes).ink()
    let at = { (ink: [Int], x: Int, y: Int) in ink[y * 200 + x] }
    #expect(at(own, 40, 50) > 200 && at(own, 100, 50) == 0 && at(own, 160, 50) > 200 && at(own, 100, 80) > 200)
    let folder = try TemporaryFolder()
    try Files.write(renderer.render(ink, options { $0.format = format }).bytes, to: folder.file("in"))
    if format == .svg {
      #expect(try await run("rsvg-convert", ["-o", folder.file("out.png"), folder.file("in")]) == "ended with 0\n")
    } else {
      let said = try await run(
        "pdftoppm", ["-png", "-r", "72", "-singlefile", folder.file("in"), folder.file("out")])
      #expect(said == "ended with 0\n")
    }
    let drawn = try PlainPNG.ink(Files.read(folder.file("out.png")))
    var sum = 0.0, inked = 0.0
    for (one, other) in zip(drawn, own) where one + other > 0 {
      sum += Double((one - other) * (one - other))
      inked += 1
    }
    #expect(drawn.count == own.count)
    #expect((sum / inked).squareRoot() < 20)
    withExtendedLifetime(folder) {}
  }

  @Test("a browser shows the same ink from our PNG and from our SVG", .enabled(if: isLong), .timeLimit(.minutes(3)))
  func browser() async throws {
    let folder = try TemporaryFolder()
    let ink = SampleSignature.all[6].ink
    let png = try renderer.render(ink, options { $0.format = .png(.eight) })
    let svg = try renderer.render(ink, options { $0.format = .svg })
    // The page draws each picture and says its size, how much ink it has, and how far the two are apart.
    let page = """
      <body><script>
      const show = (hex, type) => new Promise((done, fail) => {
        const bytes = new Uint8Array(hex.match(/../g).map(pair => parseInt(pair, 16)));
        const image = new Image(); image.onerror = () => fail(type + ' is refused');
        image.onload = () => {
          const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight]; pen.drawImage(image, 0, 0);
          const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
          done({ size: canvas.width + 'x' + canvas.height, ink: data.filter((_, at) => at % 4 == 0).map(grey => 255 - grey) });
        };
        image.src = URL.createObjectURL(new Blob([bytes], { type }));
      });
      Promise.all([show('\(Hex.encode(png.bytes))', 'image/png'), show('\(Hex.encode(svg.bytes))', 'image/svg+xml')])
        .then(([one, two]) => {
          let sum = 0, inked = 0;
          one.ink.forEach((ink, at) => { if (ink + two.ink[at] > 0) { sum += (ink - two.ink[at]) ** 2; inked++; } });
          const near = inked > 1000 && Math.sqrt(sum / inked) < 14;
          document.body.textContent = one.size + ' ' + two.size + (near ? ' alike' : ' apart by ' + Math.sqrt(sum / inked));
        }).catch(reason => document.body.textContent = reason);
      </script></body>
      """
    try Files.write(Array(page.utf8), to: folder.file("page.html"))
    let said = try await run(
      "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.file("profile"))",
        "--virtual-time-budget=5000", "--dump-dom", "file://\(folder.file("page.html"))",
      ])
    #expect(said.contains("<body>600x200 600x200 alike</body>"), "\(said.suffix(400))")
  }
}
