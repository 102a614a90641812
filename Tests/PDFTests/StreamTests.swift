import PDF
import TestSupport
import Testing

/// Streams that readers unpack in different ways, and those of usual programs.
@Suite struct StreamTests {
  private let file: PDFFile

  init() throws {
    var page = RawPDF.page()
    page.finish()
    file = try PDFFile(page.bytes)
  }

  /// What comes out of a stream, or why nothing does.
  private func unpacked(_ dictionary: PDFDictionary, _ bytes: [UInt8]) -> String {
    do throws(PDFReadError) {
      return "\(try file.contents(of: PDFStream(dictionary, bytes)))"
    } catch {
      return error.description
    }
  }

  private static let flate = PDFObject.name("FlateDecode")
  private static let up: PDFObject = .dictionary(["Predictor": .integer(12), "Columns": .integer(2)])

  static let usualOnes: [(PDFDictionary, Bool)] = [
    (["Filter": flate, "DecodeParms": up], true),
    (["Filter": .array([flate]), "DecodeParms": .array([up])], true),
    (["DecodeParms": .dictionary(["Columns": .integer(2)]), "Filter": flate], false),
    (["Filter": flate, "DecodeParms": .null], false),
    (["Filter": .array([flate]), "DecodeParms": .null], false),
    (["Filter": .array([flate]), "DecodeParms": .array([.null])], false), (["Filter": flate], false),
  ]

  @Test("what usual programs write is unpacked", arguments: usualOnes)
  func usual(dictionary: PDFDictionary, isPredicted: Bool) {
    let rows: [UInt8] = [0, 5, 6, 2, 1, 1]
    #expect(unpacked(dictionary, StoredZlib.stream(rows)) == (isPredicted ? "[5, 6, 6, 7]" : "\(rows)"))
  }

  @Test("a stream without filters is its bytes")
  func plain() {
    #expect(unpacked([:], [1, 2]) == "[1, 2]")
    #expect(unpacked(["Filter": .null, "DecodeParms": .null], [1, 2]) == "[1, 2]")
    #expect(unpacked(["Filter": .array([])], [1, 2]) == "[1, 2]")
  }

  static let refusedOnes: [(PDFDictionary, String)] = [
    (["F": flate], "/F, which readers understand differently"),
    (["Filter": flate, "DP": up], "/DP, which readers understand differently"),
    (["FFilter": flate], "/FFilter, which"), (["FDecodeParms": up], "/FDecodeParms, which"),
    (["Filter": .to(5)], "packed by an unknown filter"), (["Filter": .name("Fl")], "packed by Fl"),
    (["Filter": .array([.to(5)])], "packed by an unknown filter"), (["DecodeParms": up], "packed by an unknown"),
    (["Filter": flate, "DecodeParms": .to(5)], "parameters elsewhere"),
    (["Filter": flate, "DecodeParms": .array([up])], "of another filter's form"),
    (["Filter": .array([flate]), "DecodeParms": up], "not as many"),
    (["Filter": .array([flate, flate]), "DecodeParms": .array([up])], "not as many"),
    (["Filter": .array([flate]), "DecodeParms": .array([.to(5)])], "parameters elsewhere"),
    (["Filter": flate, "DecodeParms": .dictionary(["Predictor": .to(5)])], "the parameter /Predictor"),
    (["Filter": flate, "DecodeParms": .dictionary(["EarlyChange": .integer(1)])], "the parameter /EarlyChange"),
    (["Filter": flate, "DecodeParms": .dictionary(["Predictor": .integer(2)])], "the predictor 2"),
    (["Filter": flate, "DecodeParms": .dictionary(["Predictor": .integer(16)])], "the predictor 16"),
    (["Filter": flate, "DecodeParms": .dictionary(["Predictor": .integer(0)])], "the predictor 0"),
  ]

  @Test("filters and parameters elsewhere, or in a form that readers differ about, are refused", arguments: refusedOnes)
  func refused(dictionary: PDFDictionary, words: String) {
    let found = unpacked(dictionary, StoredZlib.stream([0, 5, 6]))
    #expect(found.contains(words), "\(found)")
  }

  @Test("a pixel of 12 bits is predicted from the one two bytes before, as PNG has it")
  func halfBytes() {
    let parameters: PDFDictionary = [
      "Predictor": .integer(11), "Colors": .integer(3), "BitsPerComponent": .integer(4), "Columns": .integer(2),
    ]
    let rows = StoredZlib.stream([1, 10, 20, 1])
    #expect(unpacked(["Filter": Self.flate, "DecodeParms": .dictionary(parameters)], rows) == "[10, 20, 11]")
  }
}
