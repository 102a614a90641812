import Ink
import Testing

/// Files that would take many times their size in memory, or long for no ink, are given up at a bound.
@Suite struct FormatBoundTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("a matrix is bounded as a whole, and not line by line")
  func matrix() {
    let start = "<ink><definitions><canvasTransform><mapping type='affine'><affine>"
    #expect(
      refusal(start + repeated(",\n", 513))
        == "canvasTransform.affine has more than 1024 bytes; six numbers need no more")
  }

  @Test("traces that bring no point are bounded")
  func emptyTraces() {
    let start = "<ink><trace>1 2</trace>"
    let empty = "<trace continuation='middle'/>"
    #expect(
      refusal(start + repeated(empty, InkLimits.points - 1) + "</ink>")?
        .hasPrefix("InkML has more than 100000 elements;") == true)
    #expect(refusal(start + repeated(empty, 1000) + "</ink>") == nil)
  }

  @Test("lines of an SVC file are bounded in number and length")
  func lines() throws {
    #expect(
      refusal("1\n" + repeated("1\n", InkLimits.points + 1), as: .svc)
        == "line 100002 is beyond the last point allowed; a signature has at most 100000 points")
    #expect(
      refusal("1\n" + repeated("1 ", 600), as: .svc) == "line 2 has 1200 bytes; a line has at most 1024")
    #expect(
      try read("1\n" + repeated(" \r\n", InkLimits.points) + "1 1 0 1\n").pointCount == 1)
  }

  @Test("a message of very many fields is refused")
  func fields() {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    // Field 6 is 0, and so on.
    let ink = [[UInt8]](repeating: [6 << 3, 0], count: 2 * InkLimits.points + 1).flatMap { $0 }
    let chunks = Array("UINKHEAD".utf8) + word(12) + [3, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    let body = chunks + Array("INKD".utf8) + word(ink.count) + ink
    let error = #expect(throws: InkError.self) { try Ink.read(Array("RIFF".utf8) + word(body.count) + body) }
    #expect(error?.finding == "has a message of more than 200000 fields")
  }
}
