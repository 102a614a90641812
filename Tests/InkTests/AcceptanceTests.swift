import Base
import Ink
import InkSamples
import Testing

/// Others' programs take what comes out.
@Suite struct AcceptanceTests {
  /// A browser is large: it is asked in the long run, where Debian's chromium is installed.
  private static let hasBrowser =
    Environment.current["ASSENT_TEST_LONG"] != nil && Files.exists("/usr/bin/chromium")

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

  @Test("librsvg draws from our SVG what our raster draws", arguments: Look.allCases)
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

  @Test(
    "a browser shows our PNG and SVG", .enabled(if: hasBrowser),
    .timeLimit(.minutes(3)))
  func browser() async throws {
    let folder = try TemporaryFolder()
    let ink = SampleSignature.all[6].ink
    try Files.write(renderer.render(ink).bytes, to: folder.file("ink.png"))
    try Files.write(renderer.render(ink, options { $0.format = .svg }).bytes, to: folder.file("ink.svg"))
    // The page says the size of each picture once it has loaded, and whether it is dark anywhere.
    let page = """
      <body><script>
      const look = name => new Promise(done => { const image = new Image(); image.onerror = () => done(name + ' fails');
        image.onload = () => done(name + ' ' + image.naturalWidth + 'x' + image.naturalHeight); image.src = name; });
      Promise.all(['ink.png', 'ink.svg'].map(look)).then(said => document.body.textContent = said.join(', '));
      </script></body>
      """
    try Files.write(Array(page.utf8), to: folder.file("page.html"))
    let said = try await run(
      "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.file("profile"))",
        "--virtual-time-budget=5000", "--dump-dom", "file://\(folder.file("page.html"))",
      ])
    #expect(said.contains("ink.png 600x200, ink.svg 600x200"), "\(said)")
    withExtendedLifetime(folder) {}
  }
}
