import Base
import Testing

@Suite("Combining marks in a row") struct StreamSafeTextTests {
  private static func marks(_ count: Int, _ mark: Unicode.Scalar = "\u{301}") -> String {
    String(String.UnicodeScalarView(repeatElement(mark, count: count)))
  }

  @Test(
    "marks of every length, and vowels that are sorted as marks, are counted wherever they stand",
    arguments: ["\u{301}", "\u{323}", "\u{F73}", "\u{20D0}", "\u{3099}", "\u{1D165}"] as [Unicode.Scalar])
  func bound(_ mark: Unicode.Scalar) {
    for before in ["", "a", "é", "日本", "🖋", String(repeating: "Grüße ", count: 12)] {
      for after in ["", "z", "é", "日本", String(repeating: "🖋", count: 20)] {
        #expect(StreamSafeText.holds(before + Self.marks(30, mark) + after))
        #expect(!StreamSafeText.holds(before + Self.marks(31, mark) + after))
        #expect(!StreamSafeText.holds(before + Self.marks(5_000, mark) + after))
      }
    }
  }

  @Test("what is found is what counting finds, in 20,000 random texts")
  func counting() {
    var generator = SeededGenerator(seed: 5)
    let letters: [Unicode.Scalar] = ["a", "é", "日", "🖋", "\u{301}", "\u{323}", "\u{1D165}"]
    var refused = 0
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      var longest = 0
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let scalar = letters.randomElement(using: &generator) ?? "a"
        let count = Int.random(in: 1...40, using: &generator)
        text.append(contentsOf: repeatElement(scalar, count: count))
      }
      var run = 0
      for scalar in text {
        run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
        longest = max(longest, run)
      }
      #expect(StreamSafeText.holds(String(text)) == (longest <= 30))
      if longest > 30 { refused += 1 }
    }
    #expect((2_000...18_000).contains(refused))
  }

  @Test("bytes that are no UTF-8 are passed over")
  func noText() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<5_000 {
      let bytes: [UInt8] = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        [0xCC, 0x81, 0xF0, 0x9D, 0x85, 0xA5, 0x61, 0xFF].randomElement(using: &generator) ?? 0
      }
      _ = StreamSafeText.holds(bytes.span)
    }
    let continuations = [UInt8](repeating: 0x81, count: 500)
    let isTaken = StreamSafeText.holds(continuations.span)
    #expect(isTaken)
  }

  @Test("languages that put many marks on letters are not refused")
  func languages() {
    for text in ["Việt Nam", "שָׁלוֹם", "ٱلسَّلَامُ عَلَيْكُمْ", "བརྒྱུད་པ", "น้ำใจที่ดี", "क्षत्रिय", "한국어", "Å̊ö̈"] {
      #expect(StreamSafeText.holds(String(repeating: text, count: 200)), "\(text)")
    }
  }
}
