/// A PDF file put together byte by byte, also as no writer would: what attackers append, and what readers must refuse.
package struct RawPDF {
  package private(set) var bytes: [UInt8]
  private var offsets: [Int: Int] = [:]
  private var newest = 0

  /// - Parameter bytes: a file to go on from.
  package init(_ bytes: [UInt8] = Array("%PDF-1.7\n".utf8)) {
    self.bytes = bytes
  }

  /// A page with a word on it: catalog 1, pages 2, page 3, its content 4.
  ///
  /// - Parameters:
  ///   - page: added to the page's dictionary.
  ///   - content: added to the dictionary of what the page shows.
  package static func page(_ page: String = "", content: String = "", catalog: String = "") -> RawPDF {
    var file = RawPDF()
    file.add(1, "<</Type/Catalog/Pages 2 0 R/Lang(en)\(catalog)>>")
    file.add(2, "<</Type/Pages/Kids[3 0 R]/Count 1>>")
    file.add(3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 4 0 R\(page)>>")
    file.add(stream: Array("0 0 9 9 re f".utf8), content, as: 4)
    return file
  }

  /// Where an object began when it was added last.
  package func offset(_ number: Int) -> Int { offsets[number] ?? 0 }

  package mutating func add(_ number: Int, _ body: String, generation: Int = 0) {
    offsets[number] = bytes.count
    bytes += "\(number) \(generation) obj\n\(body)\nendobj\n".utf8
  }

  package mutating func add(stream content: [UInt8], _ dictionary: String = "", as number: Int) {
    offsets[number] = bytes.count
    bytes += "\(number) 0 obj\n<</Length \(content.count)\(dictionary)>>\nstream\n".utf8
    bytes += content
    bytes += "\nendstream\nendobj\n".utf8
  }

  /// Adds bytes that are no object.
  package mutating func add(text: String) { bytes += text.utf8 }

  /// An entry of a table for an object that was added.
  package func entry(_ number: Int, generation: Int = 0) -> String {
    Self.entry(offset(number), generation: generation)
  }

  package static func entry(_ offset: Int, generation: Int = 0, isFree: Bool = false) -> String {
    "\(padded(offset, 10)) \(padded(generation, 5)) \(isFree ? "f" : "n") \n"
  }

  package static let free = entry(0, isFree: true)

  /// Adds a table of cross-references and ends the file.
  ///
  /// - Parameters:
  ///   - entries: by number; nil: of all objects that were added.
  ///   - trailer: what its dictionary has besides the catalog and what is next to older tables.
  package mutating func finish(_ entries: [Int: String]? = nil, size: Int = 50, trailer: String = "") {
    // Objects that other programs have appended in between have numbers from there on.
    let size = newest > 0 ? size + 50 : size
    let all = entries ?? offsets.mapValues { Self.entry($0) }
    let table = bytes.count
    bytes += "xref\n".utf8
    for (number, line) in all.sorted(by: { $0.key < $1.key }) { bytes += "\(number) 1\n\(line)".utf8 }
    let previous = newest > 0 ? "/Prev \(newest)" : ""
    bytes += "trailer\n<</Size \(size)/Root 1 0 R\(previous)\(trailer)>>\nstartxref\n\(table)\n%%EOF\n".utf8
    newest = table
    offsets = [:]
  }

  /// An entry for a stream of cross-references whose fields are 1, 2 and 1 bytes wide.
  package static func streamEntry(_ offset: Int) -> [UInt8] { [1, UInt8(offset >> 8), UInt8(offset & 255), 0] }

  /// Adds a stream of cross-references and ends the file.
  ///
  /// - Parameter dictionary: what the stream's dictionary has besides the catalog and what is next to older tables:
  ///   the measures of its entries.
  package mutating func finish(stream entries: [UInt8], _ dictionary: String, as number: Int) {
    let start = bytes.count
    let others = newest > 0 ? "/Size 100/Prev \(newest)" : "/Size 50"
    add(stream: entries, "/Type/XRef/Root 1 0 R\(others)\(dictionary)", as: number)
    bytes += "startxref\n\(start)\n%%EOF\n".utf8
    newest = start
    offsets = [:]
  }

  /// Goes on from a finished file whose newest table is at a place.
  package static func after(_ bytes: [UInt8], table: Int) -> RawPDF {
    var file = RawPDF(bytes)
    file.newest = table
    return file
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)"
  }
}
