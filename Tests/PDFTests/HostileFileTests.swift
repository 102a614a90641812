import PDF
import TestSupport
import Testing

/// Files that are meant to crash their reader, to wear it out, or to show each reader something else.
@Suite struct HostileFileTests {
  private func catalog(_ extra: String) throws(PDFReadError) -> PDFDictionary {
    var file = RawPDF.page(catalog: extra)
    file.finish()
    return try PDFFile(file.bytes).catalog()
  }

  @Test("numbers are read up to a length, refused beyond it, and never rounded")
  func numbers() throws {
    for digits in ["9999999999999999.0", "-9999999999999999.9", "99999999999999999999", "999999999999999.999"] {
      var file = RawPDF.page(catalog: "/X \(digits)")
      file.finish()
      let found = fault(file.bytes)
      #expect(found.contains("too many digits"), "\(digits): \(found)")
    }
    #expect(try catalog("/X 99999999999999.5")["X"] == .real(thousandths: 99_999_999_999_999_500))
    for (one, other) in [("1.0001", "1.0009"), ("0.0000001", "0"), ("-0.00051", "0.00051"), ("12.3450001", "12.345")] {
      #expect(try catalog("/X \(one)") != catalog("/X \(other)"), "\(one) \(other)")
    }
    #expect(try catalog("/X 1.50")["X"] == .real(thousandths: 1500))
    #expect(try catalog("/X 1.50000000")["X"] == .real(thousandths: 1500))
    #expect(try catalog("/X -.0005")["X"] == .decimal("-0.0005"))
    #expect(try catalog("/X -.0005")["X"]?.points == -0.0005)
    for broken in ["+", "-", ".", "1.2.3", "1e5", "5x"] {
      #expect(throws: PDFReadError.self, "\(broken)") { try catalog("/X \(broken)") }
    }
  }

  @Test("names are the same only when their bytes are, and are written as they were read")
  func names() throws {
    // The sign for kelvin looks like K, and an e with its accent is one character or two: the same texts to Swift.
    for (one, other) in [("#E2#84#AA", "K"), ("#C3#A9", "e#CC#81"), ("#FF", "#FE")] {
      #expect(try catalog("/X/\(one)") != catalog("/X/\(other)"), "\(one) \(other)")
      #expect(try catalog("/\(one) 1/\(other) 2").entries.count == 5)
      var written: [UInt8] = []
      written.append(try #require(try catalog("/X/\(one)")["X"]))
      #expect(String(decoding: written, as: UTF8.self) == "/\(one)")
    }
    #expect(throws: PDFReadError.self) { try catalog("/X/A#00B") }
  }

  /// Cross-references as a stream with entries of 1, 2 and 4 bytes.
  private func streamed(_ entries: [(UInt8, Int, UInt64)]) -> [UInt8] {
    var file = RawPDF.page()
    let places = (1...4).map { (UInt8(1), file.offset($0), UInt64(0)) }
    var content: [UInt8] = []
    for (kind, place, last) in places + entries {
      content += [kind, UInt8(place >> 8), UInt8(place & 255)]
      content += (0..<4).reversed().map { UInt8(truncatingIfNeeded: last >> (8 * UInt64($0))) }
    }
    file.finish(stream: content, "/W[1 2 4]/Index[1 \(places.count + entries.count)]", as: 20)
    return file.bytes
  }

  @Test("an earlier revision is read as if the file ended there")
  func earlierRevision() throws {
    /// A revision whose table names an object that it does not have.
    func first(_ place: Int) -> RawPDF {
      var file = RawPDF.page()
      var entries: [Int: String] = [5: RawPDF.entry(place)]
      for number in 1...4 { entries[number] = file.entry(number) }
      file.finish(entries)
      return file
    }
    let end = first(0).bytes.count
    var file = first(end)
    let short = try PDFFile(file.bytes)
    file.add(5, "7")
    file.add(3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 8 8]>>")
    file.finish()
    let whole = try PDFFile(file.bytes)
    let earlier = try whole.revision(until: end)
    #expect(earlier.bytes.count == end && earlier.start == short.start && earlier.start < whole.start)
    #expect(try earlier.object(3) == short.object(3))
    #expect(try earlier.object(3) != whole.object(3))
    #expect(try whole.object(5) == .integer(7))
    #expect(throws: PDFReadError.self) { try earlier.object(5) }
    #expect(throws: PDFReadError.self) { try whole.revision(until: end - 3) }
  }

  @Test("places in streams of cross-references have bounds")
  func places() {
    #expect(fault(streamed([])) == "read")
    for last in [UInt64(UInt32.max), 1 << 31, 1_000_001] {
      #expect(fault(streamed([(2, 4, last)])).contains("out of range"), "\(last)")
      #expect(fault(streamed([(1, 4, last)])).contains("out of range"), "\(last)")
    }
  }

  @Test("an object has the generation that its table and who refers to it say")
  func generations() {
    var file = RawPDF.page()
    var entries = Dictionary(uniqueKeysWithValues: (1...4).map { ($0, file.entry($0)) })
    entries[4] = file.entry(4, generation: 1)
    file.finish(entries)
    #expect(fault(file.bytes) == "object 4 is said to be of generation 1, and is of 0")
    var other = RawPDF.page("/Length 5 0 R")
    other.add(5, "7", generation: 1)
    entries = Dictionary(uniqueKeysWithValues: (1...4).map { ($0, other.entry($0)) })
    entries[5] = other.entry(5, generation: 1)
    other.finish(entries)
    #expect(throws: PDFReadError.self) { try PDFFile(other.bytes).resolve(.to(5)) }
    #expect(throws: Never.self) { try PDFFile(other.bytes).resolve(.reference(PDFReference(5, generation: 1))) }
  }

  @Test("what a table hides in a stream is found; what both have at different places is refused")
  func hybrids() throws {
    func hybrid(_ fourth: (RawPDF) -> String?) -> [UInt8] {
      var file = RawPDF.page()
      var entries: [Int: String] = [:]
      for number in 1...3 { entries[number] = file.entry(number) }
      entries[4] = fourth(file)
      let place = file.offset(4)
      let stream = file.bytes.count
      file.add(
        stream: [1, UInt8(place >> 8), UInt8(place & 255), 0], "/Type/XRef/Size 50/W[1 2 1]/Index[4 1]/Root 1 0 R",
        as: 21)
      file.finish(entries, trailer: "/XRefStm \(stream)")
      return file.bytes
    }
    for bytes in [hybrid { _ in RawPDF.free }, hybrid { _ in nil }, hybrid { $0.entry(4) }] {
      let file = try PDFFile(bytes)
      #expect(try file.object(4) != .null)
      #expect(file.hybridCount == 1)
    }
    #expect(fault(hybrid { $0.entry(3) }).contains("at one place in a table and at another"))
  }

  @Test("an object that is at two places in one table, or beyond what the trailer counts, is refused")
  func ambiguous() {
    var file = RawPDF.page()
    let twice = file.entry(4) + "4 1\n" + file.entry(3)
    var entries = Dictionary(uniqueKeysWithValues: (1...3).map { ($0, file.entry($0)) })
    entries[4] = twice
    file.finish(entries)
    #expect(fault(file.bytes) == "object 4 is at two places in one table")
    var small = RawPDF.page()
    small.finish(size: 4)
    #expect(fault(small.bytes) == "the file's trailer counts 4 objects, and there is one of number 4")
  }

  @Test("a length that many streams refer to is counted as often as it is read")
  func lengths() {
    var file = RawPDF.page()
    file.add(9, String(repeating: " ", count: 100_000) + "3")
    for number in 10..<30 { file.add(number, "<</Length 9 0 R>>\nstream\nabc\nendstream") }
    file.finish()
    #expect(fault(file.bytes) == "read")
    let budget = ReadingBudget()
    #expect(budget.spend((2 << 30) - 1_000_000, .readBytes))
    #expect(fault(file.bytes, budget).contains("bytes to be read and hashed"))
  }

  /// A file that seems to be saved so many times, each time with the same end of a trailer.
  private func saved(_ times: Int, trailer: String) throws -> [UInt8] {
    var file = RawPDF.page()
    file.finish()
    let table = try PDFFile(file.bytes).start
    let start = file.bytes.count
    // Whoever begins behind the first byte of a line takes those below it for comments.
    func line(to place: Int) -> String { "%xref trailer<</Prev \(place + 1_000_000_000)/X[\n" }
    let length = line(to: 0).utf8.count
    var text = ""
    for place in 1...times {
      let next = place < times ? start + place * length + 1 : table
      text += line(to: next).replacing("/Prev 1", with: "/Prev 0")
    }
    return file.bytes + Array("\(text)\(trailer)]/Size 50/Root 1 0 R>>\nstartxref\n\(start + 1)\n%%EOF\n".utf8)
  }

  @Test("what many trailers share is counted as often as it is read")
  func trailers() throws {
    #expect(fault(try saved(9, trailer: "")) == "read")
    let long = try saved(20, trailer: String(repeating: " ", count: 100_000))
    #expect(fault(long) == "read")
    let budget = ReadingBudget()
    #expect(budget.spend((2 << 30) - 1_000_000, .readBytes))
    #expect(fault(long, budget).contains("bytes to be read and hashed"))
    guard LongTests.areWanted else { return }
    let wide = try saved(3, trailer: String(repeating: "/", count: 400_000))
    #expect(fault(wide) == "the file's trailers have more than 1000000 elements")
  }

  @Test("a generation has a bound in tables, too", arguments: [(65_535, false), (65_536, true), (99_999, true)])
  func highGenerations(generation: Int, isRefused: Bool) {
    var file = RawPDF.page()
    file.add(5, "7", generation: generation)
    var entries = Dictionary(uniqueKeysWithValues: (1...4).map { ($0, file.entry($0)) })
    entries[5] = file.entry(5, generation: generation)
    file.finish(entries)
    let words = "object 5 is said to be of generation \(generation); the highest is 65535"
    #expect(fault(file.bytes) == (isRefused ? words : "read"))
  }

  @Test("one file has one budget, and whoever waits for it can end it")
  func budget() {
    var file = RawPDF.page()
    file.finish()
    let budget = ReadingBudget()
    #expect(fault(file.bytes, budget) == "read")
    #expect(budget.spend(4000, .keyChecks))
    #expect(!budget.spend(1, .keyChecks))
    #expect(budget.end?.isExhaustion == true)
    #expect(fault(file.bytes, budget).contains("takes more than 4000 checks"))
    #expect(fault(file.bytes, ReadingBudget(isOver: { true })) == "reading takes too long")
  }
}
