import Base
import Documents
import PDF
import Testing

/// Text that nobody reads, put together to keep a process busy.
@Suite struct HostileTextTests {
  @Test("as many marks on one letter as a text can have are set one after the other", .timeLimit(.minutes(1)))
  func marks() throws {
    let bytes = try Files.read("\(FontFolder.usual)/truetype/noto/NotoSans-Regular.ttf")
    let font = try #require(FontProgram(bytes))
    let text = [0x61] + [UInt32](repeating: 0x301, count: 200_000) + [0x62]
    for isRightToLeft in [false, true] {
      let glyphs = font.shape(
        text, in: 0..<text.count, WritingSystem(of: "a"), isRightToLeft: isRightToLeft, language: "en")
      // The first mark and its letter are one glyph.
      #expect(glyphs.count == text.count - 1)
      let places = glyphs.map(\.cluster)
      #expect(places == (isRightToLeft ? places.sorted().reversed() : places.sorted()))
      #expect(Set(places).isSuperset(of: [0, text.count - 1]))
    }
  }

  @Test("of a language's name only what decides about letters is told to the libraries that set them")
  func languages() throws {
    for (name, tag) in [
      ("de", "de"), ("de-AT", "de"), ("sr-Latn-RS", "sr"), ("DE_at", "de"), ("tlh", "tlh"),
      ("zh-Hant-HK", "zh-hant-hk"),
      ("zh-HK-Hant-HK", "zh-hant-hk"), ("zh-TW-x-own", "zh-tw"), ("yue-Hans", "yue-hans"), ("ro-MD", "ro-md"),
      ("de-MD", "de"), ("", "und"), ("-", "und"), ("x-default", "und"), ("english", "und"), ("d\u{E9}", "und"),
    ] {
      #expect(TextLanguage(name).tag == tag, "\(name)")
    }
    let many = (0..<2000).flatMap { ["zh-x-\($0)", "\($0)-x"] } + [String(repeating: "zh-", count: 1 << 20)]
    #expect(Set(many.map { TextLanguage($0) }).count == 2)
    let font = try #require(FontProgram(try Files.read("\(FontFolder.usual)/truetype/noto/NotoSans-Regular.ttf")))
    let latin = WritingSystem(of: "a")
    let shapes = Set(many.map { font.shape([0x61], in: 0..<1, latin, isRightToLeft: false, language: $0) })
    #expect(shapes.count == 1)
  }

  @Test("a language whose name is longer than any is passed over")
  func longLanguage() throws {
    func file(_ attribute: String) throws -> [UInt8] {
      try SamplePaper.compose(SamplePaper.paper("<p>one <i\(attribute)>two</i></p>"))
    }
    let plain = try file("")
    #expect(try file(" lang=\"de\"") != plain)
    #expect(try file(" lang=\"de-x-\(String(repeating: "a", count: 60))\"") == plain)
  }

  @Test("a mark of byte order is no text of a file, which PDF/A forbids")
  func byteOrderMark() throws {
    let bytes = try SamplePaper.compose(SamplePaper.paper("<p>one\u{FEFF}two \u{FEFF}</p><p>\u{FEFF}</p>"))
    let file = try PDFFile(bytes)
    var maps = 0
    for number in file.numbers {
      guard case .stream(let stream) = try file.object(number), stream.dictionary["Filter"]?.name == "FlateDecode",
        let text = String(validating: try file.contents(of: stream), as: UTF8.self), text.contains("begincmap")
      else { continue }
      maps += 1
      #expect(!text.contains("FEFF"))
    }
    #expect(maps > 0)
  }

  @Test("characters that once ended columns, lines and pages keep words apart")
  func otherSpaces() async throws {
    var paper = try SamplePaper.paper("<p>one\u{0B}two\u{85}three</p>")
    paper.title = "four\tfive\rsix\r\nseven"
    let text = try await Tool.text(SamplePaper.compose(paper))
    let words = text.split(whereSeparator: \.isWhitespace)
    for word in ["one", "two", "three", "four", "five", "six", "seven"] {
      #expect(words.contains { $0 == word }, "\(word) in \(text)")
    }
  }
}
