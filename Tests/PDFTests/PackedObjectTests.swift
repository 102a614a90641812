import PDF
import TestSupport
import Testing

/// Objects that stand in a stream.
@Suite struct PackedObjectTests {
  /// A page whose stream 5 has objects in it, one after the other from number 6 on.
  ///
  /// - Parameter length: the stream's length if it is no plain number.
  private func packed(
    _ head: String, _ body: String, length: String? = nil, page: (inout RawPDF) -> Void = { _ in }
  ) -> [UInt8] {
    var file = RawPDF.page()
    page(&file)
    let content = head + body
    let count = head.split(separator: " ").count / 2
    file.add(
      5,
      "<</Type/ObjStm/N \(count)/First \(head.utf8.count)/Length \(length ?? "\(content.utf8.count)")>>\nstream\n"
        + "\(content)\nendstream")
    var entries = (1...5).flatMap { RawPDF.streamEntry(file.offset($0)) }
    for index in 0..<count { entries += [2, 0, 5, UInt8(index)] }
    file.finish(stream: entries, "/W[1 2 1]/Index[1 \(5 + count)]", as: 20)
    return file.bytes
  }

  @Test("objects that lie upon each other are refused: each would be read again and again")
  func overlapping() {
    #expect(fault(packed("6 0 7 6 ", "[1 2] [3]")) == "read")
    #expect(fault(packed("6 0 7 0 ", "[1 2] [3]")).contains("out of order"))
    #expect(fault(packed("6 6 7 0 ", "[1 2] [3]")).contains("out of order"))
    #expect(fault(packed("6 0 7 3 ", "[1 2] [3]")) != "read")
  }

  @Test("an object that is in a stream twice is refused: readers differ in which of both counts")
  func twice() {
    #expect(fault(packed("6 0 6 6 ", "[1 2] [3]")) == "object 6 is in the stream 5 twice")
  }

  @Test("an object ends before the next one begins: numbers do not become a reference of all three")
  func runningOn() {
    #expect(fault(packed("6 0 7 3 8 5 ", "12 0 34 ")) == "read")
    #expect(fault(packed("6 0 7 3 8 5 ", "12 0 R ")) == "object 6 does not end where the next one in its stream begins")
    #expect(fault(packed("6 0 7 2 ", "1 [2] 3")) == "object 7 does not end where the next one in its stream begins")
    #expect(fault(packed("6 0 7 5 ", "1 \n  [2] \n")) == "read")
  }

  @Test("nothing but white space stands around packed objects: some readers take them one after the other")
  func between() {
    let early = "the stream 5 has something in it before its first object"
    #expect(fault(packed("6 0 7 12 ", "1 %comment\n [2] \n")).contains("object 6 does not end where"))
    #expect(fault(packed("6 0 7 3 ", "1 %[2] %\n")).contains("object 6 does not end where"))
    #expect(fault(packed("6 0 7 2 ", "1 [2] %")).contains("object 7 does not end where"))
    #expect(fault(packed("6 4 ", "[1] [2]")) == early)
    #expect(fault(packed("6 0 %", "[1]")) == early)
  }

  @Test("a stream's length may be packed, unless it is that of a stream of objects")
  func lengths() throws {
    let bytes = packed("6 0 ", "12 ") { file in
      file.add(4, "<</Length 6 0 R>>\nstream\n0 0 9 9 re f\nendstream")
    }
    guard case .stream(let stream) = try PDFFile(bytes).object(4) else {
      Issue.record("object 4 is a stream")
      return
    }
    #expect(stream.bytes == Array("0 0 9 9 re f".utf8))
    #expect(fault(packed("6 0 ", "12 ", length: "6 0 R")).contains("the stream of object 5 has no length"))
  }
}
