import ArchiveKit
import Base
import Documents
import Testing

/// The code on the signature page, as readers read it.
@Suite struct QRCodeTests {
  @Test("another program reads the address from a rendered page", arguments: [1, 20, 60, 110, 160, 213])
  func read(length: Int) async throws {
    var address = "https://a.example/"
    while address.utf8.count < length { address += String(Array("0123456789abcdef-/?=&")[address.count % 21]) }
    if length == 1 { address = "x" }
    var paper = try SamplePaper.paper("<p>words</p>", language: length == 60 ? "ar" : "en")
    paper.signaturePage.verification = .init(address: address)
    let bytes = try SamplePaper.compose(paper)
    #expect(try ArchiveRules.faults(bytes) == [])
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("in.pdf"))
    _ = try await Tool.run("pdftoppm", ["-r", "200", "-l", "9", "-png", folder.file("in.pdf"), folder.file("page")])
    let said = try await Tool.run(
      "zbarimg", ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", folder.file("page-2.png")])
    #expect(said.hasPrefix("ended with 0\n") && said.hasSuffix("\n\(address)"), "\(said)")
  }

  @Test("an address that is too long for a code is an error")
  func tooLong() throws {
    var paper = try SamplePaper.paper("<p>words</p>")
    paper.signaturePage.verification = .init(address: String(repeating: "x", count: 214))
    let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(paper) }
    #expect(error?.description == "the address for verification has more than 213 bytes")
  }
}
