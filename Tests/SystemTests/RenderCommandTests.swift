import Base
import TestSupport
import Testing

/// `assent render` at a shell.
@Suite struct RenderCommandTests {
  private let folder: TemporaryFolder
  private let strokes: String

  init() throws {
    folder = try TemporaryFolder()
    strokes = folder.file("strokes.json")
    try Files.write(
      Array(#"[{"points":[{"x":10,"y":20,"time":0},{"x":40,"y":30,"time":16},{"x":90,"y":10,"time":32}]}]"#.utf8),
      to: strokes)
  }

  private func assent(_ arguments: [String]) async throws -> (exit: ProcessExit, said: String) {
    // Both of its output streams, in one.
    let program = Products.program("assent")
    let command = ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program, "render"] + arguments)
    let (exit, lines) = try await ChildProcess.output(of: command)
    return (exit, lines.joined(separator: "\n"))
  }

  @Test(
    "the suffix of the picture's name chooses its format",
    arguments: [
      ("png", "\u{89}PNG"), ("svg", "<svg"), ("pdf", "%PDF"), ("jpg", "\u{FF}\u{D8}\u{FF}"), ("webp", "RIFF"),
    ])
  func kinds(kind: String, start: String) async throws {
    let picture = folder.file("out.\(kind)")
    let (exit, said) = try await assent([strokes, "-o", picture, "--canvas", "100x40", "--look", "ink-1"])
    #expect(exit.isSuccess, "\(said)")
    #expect(said.contains("100 × 40") && said.contains("1 strokes, 3 points"))
    let bytes = try Files.read(picture)
    #expect(bytes.starts(with: start.unicodeScalars.map { UInt8($0.value) }))
  }

  @Test("a typed name is drawn in place of strokes")
  func typed() async throws {
    let picture = folder.file("name.png")
    let (exit, said) = try await assent(["--typed", "Zoë Müller", "--font", "plain", "-o", picture])
    #expect(exit.isSuccess && said.contains("600 × 200") && said.contains("from 'Zoë Müller'"), "\(said)")
    #expect(try Files.read(picture).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let both = try await assent([strokes, "--typed", "Zoë", "-o", picture])
    #expect(both.exit == .code(1) && both.said.contains("both strokes and --typed"))
    #expect(try await assent(["-o", picture]).said.contains("nothing to draw"))
    #expect(try await assent(["--typed", " ", "-o", picture]).said.contains("--typed is empty"))
    #expect(try await assent(["--typed", "𓀀", "-o", picture]).said.contains("text has '𓀀' (U+13000"))
    let bare = try await assent(["--typed", "Zoë", "-o", picture, "--fonts", folder.path])
    #expect(bare.said.contains("Debian's package fonts-dancingscript cannot be used"))
  }

  @Test("words stand below strokes and below a typed name")
  func words() async throws {
    let words = ["--name", "Zoë Müller", "--date", "2026-03-01", "--reason", "I agree"]
    let drawn = try await assent([strokes, "-o", folder.file("a.svg"), "--canvas", "140x70"] + words)
    #expect(drawn.exit.isSuccess && drawn.said.contains("140 × 116"), "\(drawn.said)")
    let typed = try await assent(["--typed", "Zoë", "-o", folder.file("b.png")] + words)
    #expect(typed.exit.isSuccess && typed.said.contains("600 × 293"), "\(typed.said)")
    let bare = try await assent([strokes, "-o", folder.file("c.png")] + words)
    #expect(bare.exit == .code(1) && bare.said.contains("give --canvas"))
  }

  @Test("an error names the file, the field, the value and the bound")
  func refusals() async throws {
    try Files.write(Array(#"[{"points":[{"x":10,"y":null,"time":0}]}]"#.utf8), to: strokes)
    let broken = try await assent([strokes, "-o", folder.file("out.png")])
    #expect(broken.exit == .code(1))
    #expect(
      broken.said.contains(
        "strokes.json: strokes[0].points[0].y is NaN; coordinates must be finite numbers between -100000 and 100000"))
    #expect(!Files.exists(folder.file("out.png")))
    #expect(
      try await assent([strokes, "-o", folder.file("out.gif")]).said.contains("must be .png, .svg, .pdf, .jpg or .webp")
    )
    #expect(
      try await assent([strokes, "-o", folder.file("o.png"), "--paper", "red"]).said.contains("must be a colour"))
  }
}
