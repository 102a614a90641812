import Base
import MarkupFuzzTargets
import TestSupport
import Testing

/// The fuzz target of scripts/fuzz, with its seeds and with random changes of these.
@Suite struct MarkupFuzzTests {
  @Test("damaged markup is cleaned or refused, and never crashes")
  func damaged() {
    let seeds = MarkupTarget.seeds()
    var generator = SeededGenerator(seed: 11)
    for seed in seeds { #expect(MarkupTarget.complaint(about: seed) == nil) }
    for round in 0..<(LongTests.areWanted ? 100_000 : 1000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let other = seeds.randomElement(using: &generator) ?? []
        let end = Int.random(in: 0...min(40, other.count), using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + end))
        default: bytes.insert(contentsOf: other[..<end], at: place)
        }
      }
      #expect(MarkupTarget.complaint(about: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(
    "the target complains about what runs, loads or can be misread, and about nothing else",
    arguments: [
      ("<p dir=\"rtl\">a &lt; b<br>\u{301}</p><img src=\"asset:1\" alt=\"\u{301}x\">", "", false),
      ("<a href=\"https://a.example/?a=1&amp;b\" rel=\"noopener noreferrer\">x</a>", "", false),
      (
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><use href=\"#a\" fill=\"url(#b)\"></use></svg>",
        "", true
      ),
      ("<script>x</script>", "<script> is left", false), ("<p onclick=\"x\">", "onclick of <p> is left", false),
      ("<p style=\"x\">", "style of <p> is left", false), ("</form>", "</form> is left", false),
      ("<a href=\" java\nscript:x\">", "href of <a> leads to", false),
      ("<img src=\"https://a.example/\">", "src of <img> leads to", false), ("<!-- x -->", "<!--> is left", false),
      ("<p", "a tag does not end", false), ("a > b", "a tag ends that has not begun", false),
      ("<p title=x>", "title of <p> has no quotes", false), ("<p title>", "has no value", false),
      ("<p title=\"x\"y=\"z\">", "something stands behind title of <p>", false),
      ("<rect fill=\"url(https://a.example)\"></rect>", "fill of <rect> loads", true),
      ("<rect fill=\"u\\72l(#a)\"></rect>", "fill of <rect> has an escape", true),
      ("<use href=\"https://a.example\"></use>", "href of <use> leads to", true),
      ("<image href=\"#a\"></image>", "<image> is left", true),
    ])
  func complaints(markup: String, words: String, isDrawing: Bool) {
    let fault = MarkupTarget.fault(in: markup, isDrawing: isDrawing)
    #expect(words.isEmpty ? fault == nil : fault?.contains(words) == true, "\(fault ?? "nothing")")
  }
}
