import TestSupport
import Testing

/// Tables that some readers do not find, or read by lines where others read by words. A reader that finds none puts the
/// file together again, and may show something else.
@Suite struct CrossReferenceTests {
  /// A file in which some words of the table, or of what follows, are others.
  private func changed(_ words: String, to others: String) -> [UInt8] {
    var file = RawPDF.page()
    file.finish()
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text.contains(words))
    return Array(text.replacing(words, with: others).utf8)
  }

  static let lines = "does not have the standard's form"
  static let tables: [(String, String, String)] = [
    ("xref\n1 1\n", "xref\r\n1 1 \r\n", "read"), (" 00000 n \n", " 00000 n\r\n", "read"),
    (" 00000 n \n", " 00000 n \r", "read"), (" 00000 n \n", " 00000 n\n", lines), (" 00000 n \n", " 0000 n  \n", lines),
    (" 00000 n \n", " 00000 n  ", lines), (" 00000 n \n", " 00000 x \n", "neither used nor free"),
    ("xref\n1 1\n", "xref\n1 1\n%\n", lines), ("xref\n1 1\n", "xref\n1 %\n1\n", lines),
    ("xref\n1 1\n", "xref\n1 1%\n", lines), ("xref\n1 1\n", "xref\n1 1\n\n", lines),
    ("xref\n1 1\n", "xref\n1\n1\n", lines), ("xref\n1 1\n", "xref\n1  1\n", lines),
    ("xref\n1 1\n", "xref%\n1 1\n", "a comment where"), ("trailer", "%\ntrailer", "a comment where"),
    ("\nxref\n1 1\n", "\n%xref\n1 1\n", "a comment where"),
  ]

  @Test("a table has the standard's lines and no comments", arguments: tables)
  func standard(words: String, others: String, outcome: String) {
    let found = fault(changed(words, to: others))
    #expect(found.contains(outcome), "\(found)")
  }

  static let ends: [(String, String, String)] = [
    ("%%EOF\n", "%%EOF", "read"), ("%%EOF\n", "\r\n%%EOF" + String(repeating: " ", count: 900), "read"),
    ("%%EOF\n", "", "end is missing"), ("%%EOF\n", "7 0 obj<<>>endobj", "end is missing"),
    ("%%EOF\n", "%%EOF" + String(repeating: " ", count: 1100), "end is missing"),
    ("startxref\n", "startxref\n%\n", "a comment where"),
  ]

  @Test("a file ends with where its table is, and little behind", arguments: ends)
  func end(words: String, others: String, outcome: String) {
    let found = fault(changed(words, to: others))
    #expect(found.contains(outcome), "\(found)")
  }

  @Test(
    "the measures of a stream of cross-references are plain numbers in it",
    arguments: [
      ("/W[1 2 1]/Index[1 4]", "read"), ("/W[1 2 null 1]/Index[1 4]", "without its measures"),
      ("/W[1 2 9 0 R]/Index[1 4]", "without its measures"), ("/W 9 0 R/Index[1 4]", "without its measures"),
      ("/W[2 1 1]/Index[1 4]", "wider than other programs read"),
      ("/W[1 9 0]/Index[1 4]", "wider than other programs read"),
      ("/W[1 2 5]/Index[1 4]", "wider than other programs read"),
      ("/W[1 2 1]/Index 9 0 R", "no list of pairs"), ("/W[1 2 1]/Index[1 9 0 R]", "no list of pairs"),
    ])
  func measures(entries: String, outcome: String) {
    var file = RawPDF.page()
    file.finish(stream: (1...4).flatMap { RawPDF.streamEntry(file.offset($0)) }, entries, as: 20)
    let found = fault(file.bytes)
    #expect(found.contains(outcome), "\(found)")
  }
}
