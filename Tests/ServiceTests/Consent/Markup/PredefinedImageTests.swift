import ConsentDomain
import Testing

@Suite("Predefined images")
struct PredefinedImageTests {
  @Test("each of the eight predefined sections has one, and it needs no cleaning", arguments: PredefinedImages.names)
  func drawn(name: String) throws {
    let svg = try #require(PredefinedImages.svg(name))
    let result = try Sanitizer(.drawing).sanitize(svg)
    #expect(result.removed.allSatisfy { $0.what == "malformed markup" }, "\(result.removed)")
    #expect(svg.contains("currentColor"))
    #expect(!svg.contains("TINT"))
  }

  @Test("one colour themes it")
  func themed() throws {
    let svg = try #require(PredefinedImages.svg("privacy", ink: "#b91c1c"))
    #expect(svg.contains("stroke=\"#b91c1c\"") && svg.contains("fill=\"#b91c1c\""))
    #expect(PredefinedImages.isColor("#B91") && PredefinedImages.isColor("currentColor"))
    for text in ["red", "#12", "#12345g", "\"/><script>", ""] { #expect(!PredefinedImages.isColor(text)) }
  }

  @Test("there are eight predefined images, and no other names")
  func names() {
    #expect(PredefinedImages.names.count == 8)
    #expect(PredefinedImages.svg("custom") == nil)
  }
}
