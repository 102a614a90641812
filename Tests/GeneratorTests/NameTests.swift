import Generator
import Testing

@Suite("Names in Swift")
struct NameTests {
  @Test(
    "fields have names in Swift's style",
    arguments: [
      ("title", "title"), ("field_id", "fieldID"), ("id", "id"), ("html_content", "htmlContent"),
      ("cover_html", "coverHTML"), ("member_ids", "memberIDs"), ("p50_us", "p50Us"), ("created_at", "createdAt"),
      ("iso_19794_7", "iso19794_7"),
    ])
  func members(_ proto: String, _ swift: String) {
    #expect(SwiftNames.member(proto) == swift)
  }

  @Test(
    "enum values drop the name of their enum",
    arguments: [
      ("SECTION_TYPE_DATA_USE", "SectionType", "dataUse"), ("SERVING", "ServingStatus", "serving"),
      ("PAPER_SIZE_4", "PaperSize", "_4"), ("ACCESS_PUBLIC", "Access", "public"),
    ])
  func enumCases(_ proto: String, _ type: String, _ swift: String) {
    #expect(SwiftNames.enumCase(proto, of: type) == swift)
  }

  @Test("Swift's keywords are escaped", arguments: [("class", "`class`"), ("title", "title")])
  func escapes(_ name: String, _ escaped: String) {
    #expect(SwiftNames.escaped(name) == escaped)
  }
}
