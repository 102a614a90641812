import Base
import Documents
import Ink
import InkSamples
import PDF

/// Papers for tests.
enum SamplePaper {
  static let composer = PaperComposer()

  static func paper(
    _ markup: String = standard, language: String = "en", size: ConsentPaper.Size = .a4, separate: String = ""
  ) throws -> ConsentPaper {
    let path = try Renderer().path(SampleSignature.all[3].ink)
    let picture = VectorPicture(
      operators: path.operators, width: Double(path.width), height: Double(path.height))
    var paper = ConsentPaper(
      title: "Consent to the Sleep Study", language: language, size: size,
      sections: [ConsentPaper.Section(heading: "Welcome", markup: markup)],
      signaturePage: SignaturePage(
        title: "Signatures", content: "<p>I have read this.</p>",
        blocks: [
          SignatureBlock(
            title: "Participant", role: "Participant", meaning: "I agree to take part", printedName: "Zoë\u{A0}Müller",
            printedTime: "2026-03-01 09:30:00 UTC+01:00", picture: picture),
          SignatureBlock(title: "Investigator", role: "Investigator", meaning: "I have explained the study"),
        ]),
      created: Instant(millisecondsSince1970: 1_772_000_000_000))
    paper.separateMarkup = separate
    paper.signaturePage.verification = .init(address: "https://consent.example.org/v/4f9a8c1b2d3e")
    return paper
  }

  static let standard = """
    <p>You may <b>stop</b> at <i>any</i> time; see <a href="https://example.org/" rel="noopener noreferrer">the page</a>.</p>\
    <h5>Details</h5><ul><li>One</li><li>Two<ol><li>inner</li></ol></li></ul>\
    <table><thead><tr><th>Visit</th><th>What</th></tr></thead><tbody><tr><td>1</td><td>Blood sample</td></tr></tbody></table>
    """

  static func compose(_ paper: ConsentPaper) throws -> [UInt8] { try composer.compose(paper) }
}

/// Runs another program on a file.
enum Tool {
  static func run(_ program: String, _ arguments: [String]) async throws -> String {
    let command = ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + arguments)
    let (exit, lines) = try await ChildProcess.output(of: command)
    return "\(exit)\n" + lines.joined(separator: "\n")
  }

  /// The text of a document, page by page.
  static func text(_ bytes: [UInt8]) async throws -> String {
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("in.pdf"))
    let text = try await run("pdftotext", ["-enc", "UTF-8", folder.file("in.pdf"), "-"])
    withExtendedLifetime(folder) {}
    return text
  }
}
