import PDF
import TestSupport
import Testing

/// Files that are nothing but pages, and those that do more.
@Suite struct PassiveFileTests {
  private func fault(_ bytes: [UInt8]) -> String {
    do throws(PDFReadError) {
      return "\(try PassiveFile(bytes, mostPages: 4).pageCount) pages"
    } catch {
      return error.description
    }
  }

  private func fault(_ change: (inout PlainPDF) -> Void) -> String {
    var file = PlainPDF("One", "Two")
    change(&file)
    return fault(file.bytes)
  }

  @Test("pages with links, a jump to a place and a signed field are taken, and counted")
  func passive() {
    #expect(fault { _ in } == "2 pages")
    #expect(
      fault { $0.page = "/Annots[<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://a.example)>>/F 4>>]" } == "2 pages")
    #expect(fault { $0.catalog = "/OpenAction<</S/GoTo/D[10 0 R/Fit]>>" } == "2 pages")
    #expect(fault { $0.catalog = "/AcroForm<</Fields[<</FT/Sig/T(seal)>>]>>" } == "2 pages")
    #expect(fault { $0.pages = ["1", "2", "3", "4"] } == "4 pages")
  }

  @Test(
    "what runs, fetches, hides, plays or is filled in is refused, wherever it stands, with the reason",
    arguments: [
      ("/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>", "script"),
      ("/Names<</JavaScript<</Names[]>>>>", "script"), ("/AA<</WC 10 0 R>>", "when it is looked at"),
      ("/OpenAction<</S/Launch/F(calc)>>", "Launch"), ("/OpenAction<</S/SubmitForm>>", "SubmitForm"),
      ("/OpenAction<</S/GoToR/F(other.pdf)>>", "GoToR"), ("/Names<</EmbeddedFiles<</Names[]>>>>", "attached"),
      ("/AF[<</Type/Filespec/EF<</F 10 0 R>>>>]", "attached"), ("/AcroForm<</XFA 10 0 R>>", "XFA"),
      ("/AcroForm<</Fields[<</FT/Tx/T(name)>>]>>", "filled in"), ("/OCProperties<</OCGs[]>>", "layers"),
      ("/Extra[[[<</Subtype/RichMedia>>]]]", "RichMedia"), ("/Extra<</Subtype/FileAttachment>>", "FileAttachment"),
    ])
  func active(catalog: String, words: String) {
    let found = fault { $0.catalog = catalog }
    #expect(found.contains(words), "\(catalog): \(found)")
    // In an object that nothing leads to, too: other readers may find it.
    let hidden = fault { $0.objects = ["<<\(catalog)>>"] }
    #expect(hidden.contains(words), "\(catalog): \(hidden)")
  }

  @Test("names of actions and of kinds count behind references, and parts in other files are refused")
  func indirect() {
    let action = fault { file in
      (file.catalog, file.objects) = ("/OpenAction<</S 10 0 R>>", ["/JavaScript"])
    }
    #expect(action.contains("JavaScript"), "\(action)")
    let elsewhere = fault { $0.objects = ["<</Length 1/F(other)>>\nstream\na\nendstream"] }
    #expect(elsewhere.contains("another file"), "\(elsewhere)")
    for name in ["DP", "FFilter", "FDecodeParms"] {
      let twofold = fault { $0.objects = ["<</Length 1/\(name)<<>>>>\nstream\na\nendstream"] }
      #expect(twofold.contains("a stream with /\(name), which readers understand differently"), "\(twofold)")
    }
  }

  @Test("garbage, cut-off, encrypted and extended files, and pages without end or size are refused")
  func broken() {
    let sound = PlainPDF("One").bytes
    #expect(fault(Array("%PDF-1.7 garbage".utf8)).contains("end is missing"))
    for length in stride(from: 0, to: sound.count - 7, by: 31) {
      #expect(!fault(Array(sound.prefix(length))).hasSuffix("pages"), "\(length) bytes")
    }
    #expect(fault(sound + Array("more".utf8)).contains("bytes stand behind the file's end"))
    #expect(fault { $0.trailer = "/Encrypt 10 0 R" }.contains("encrypted"))
    #expect(fault { $0.pages = ["1", "2", "3", "4", "5"] }.contains("more than 4 pages"))
    #expect(fault { $0.pages = [] }.contains("no page"))
    #expect(fault { $0.box = "[0 0 0 842]" }.contains("page 1 has no size"))
    #expect(fault { $0.box = "[0 0 595 99999999]" }.contains("page 1 has no size"))
    // A tree that leads back to its root.
    let text = String(decoding: sound, as: UTF8.self)
    let circle = text.replacing("/Kids[10 0 R]", with: "/Kids[2 00 R]")
    #expect(fault(Array(circle.utf8)).contains("circle"), "\(fault(Array(circle.utf8)))")
  }

  @Test("reading ends when nobody waits for it")
  func patience() {
    #expect(throws: PDFReadError.self) { try PassiveFile(PlainPDF("One").bytes, mostPages: 4) { true } }
  }
}
