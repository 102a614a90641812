/// A PDF file of pages with a line of text each, as some program might write it. Tests add to it what no such file
/// should have.
package struct PlainPDF {
  package var pages: [String]
  /// Added to the catalog's dictionary.
  package var catalog = ""
  /// Added to each page's dictionary.
  package var page = ""
  package var box = "[0 0 595 842]"
  /// Further objects, from number 10 on.
  package var objects: [String] = []
  package var trailer = ""

  package init(_ pages: String...) {
    self.pages = pages
  }

  /// A page that shows nothing that is text, as a scan.
  package static let scan = ""

  /// The numbers of objects: the catalog's is 1, the pages' begin behind further objects.
  package var bytes: [UInt8] {
    var all: [Int: String] = [
      1: "<</Type/Catalog/Pages 2 0 R\(catalog)>>", 3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for (index, object) in objects.enumerated() { all[10 + index] = object }
    var kids: [String] = []
    for (index, line) in pages.enumerated() {
      let number = 10 + objects.count + 2 * index
      let content = line.isEmpty ? "90 90 300 300 re f" : "BT /F1 24 Tf 72 700 Td (\(line)) Tj ET"
      all[number] =
        "<</Type/Page/Parent 2 0 R/MediaBox\(box)/Resources<</Font<</F1 3 0 R>>/XObject<</X1 10 0 R>>>>"
        + "/Contents \(number + 1) 0 R\(page)>>"
      all[number + 1] = "<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream"
      kids.append("\(number) 0 R")
    }
    all[2] = "<</Type/Pages/Count \(pages.count)/Kids[\(kids.joined(separator: " "))]>>"
    return Self.file(all, trailer)
  }

  private static func file(_ objects: [Int: String], _ trailer: String) -> [UInt8] {
    var text = "%PDF-1.7\n"
    let size = (objects.keys.max() ?? 0) + 1
    var lines = ["0000000000 65535 f "]
    for number in 1..<size {
      guard let object = objects[number] else {
        lines.append("0000000000 00000 f ")
        continue
      }
      let offset = "\(text.utf8.count)"
      lines.append(String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n ")
      text += "\(number) 0 obj\n\(object)\nendobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 \(size)\n\(lines.joined(separator: "\n"))\n"
    return Array((text + "trailer\n<</Size \(size)/Root 1 0 R\(trailer)>>\nstartxref\n\(table)\n%%EOF\n").utf8)
  }
}
