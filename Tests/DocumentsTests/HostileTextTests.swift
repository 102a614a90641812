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
}
