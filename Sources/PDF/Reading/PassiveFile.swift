/// A file that consists of nothing but pages: it runs nothing, fetches nothing, hides nothing, shows everybody the same
/// and cannot be filled in. What people agree to has to be such a file.
public struct PassiveFile {
  public let pageCount: Int
  private let file: PDFFile

  /// The lengths of a page's sides, in points, that all PDF readers accept.
  private static let sides = 3.0...14_400.0
  private static let deepestTree = 64
  private static let mostObjects = 200_000

  /// - Parameters:
  ///   - mostPages: the most pages that the file may have.
  ///   - isOver: called repeatedly to ask whether to give up.
  public init(_ bytes: [UInt8], mostPages: Int, isOver: @escaping () -> Bool = { false }) throws(PDFReadError) {
    file = try PDFFile(bytes, ReadingBudget(isOver: isOver))
    if file.bytesBehindEnd > 0 { throw PDFReadError("\(file.bytesBehindEnd) bytes stand behind the file's end") }
    guard file.numbers.count <= Self.mostObjects else {
      throw PDFReadError("the file has \(file.numbers.count) objects; at most \(Self.mostObjects) are read")
    }
    var walk = PageWalk(mostPages: mostPages)
    try walk.visit(try file.catalog()["Pages"], in: file, inherited: nil, depth: 0)
    guard walk.pages > 0 else { throw PDFReadError("the file has no page") }
    pageCount = walk.pages
    for number in file.numbers {
      try check(try file.object(number))
    }
  }

  // MARK: - What is in it

  /// Names in dictionaries, and the objection to a file that has them.
  private static let refused = [
    "JS": "has a script", "JavaScript": "has a script", "AA": "does something when it is looked at",
    "XFA": "is a form of XFA, which pages do not show", "EF": "has a file attached, which nobody would see",
    "EmbeddedFiles": "has a file attached, which nobody would see", "RichMedia": "has media that play",
    "OCProperties": "has layers, which can be shown or not", "Alternates": "has images that differ in print",
    "OPI": "shows images of another file",
  ]
  private static let refusedActions: Set<String> = [
    "JavaScript", "Launch", "GoToR", "GoToE", "SubmitForm", "ImportData", "ResetForm", "Rendition", "Movie", "Sound",
    "RichMediaExecute", "GoTo3DView", "Hide", "SetOCGState", "Thread",
  ]
  private static let refusedAnnotations: Set<String> = [
    "Movie", "Sound", "Screen", "3D", "RichMedia", "FileAttachment",
  ]
  private static let fields: Set<String> = ["Tx", "Btn", "Ch"]

  private func check(_ object: PDFObject) throws(PDFReadError) {
    switch object {
    case .array(let values): for value in values { try check(value) }
    case .dictionary(let dictionary): try check(dictionary)
    case .stream(let stream):
      // In a stream, these mean that its bytes, or the page that it shows, are in another file.
      if stream.dictionary["F"] != nil || stream.dictionary["Ref"] != nil {
        throw PDFReadError("the file has parts in another file")
      }
      try StreamDecoder.checkNames(in: stream.dictionary)
      try check(stream.dictionary)
    default: break
    }
  }

  private func check(_ dictionary: PDFDictionary) throws(PDFReadError) {
    for (name, value) in dictionary.entries {
      // A number under one of these names means something harmless.
      if let finding = Self.refused[name], value.integer == nil { throw PDFReadError("the file \(finding)") }
      try check(value)
    }
    if let action = try file.resolve(dictionary["S"]).name, Self.refusedActions.contains(action) {
      throw PDFReadError("the file has an action that does more than lead to a place: \(action)")
    }
    if let kind = try file.resolve(dictionary["Subtype"]).name, Self.refusedAnnotations.contains(kind) {
      throw PDFReadError("the file has something on a page that is no picture of it: \(kind)")
    }
    if let field = try file.resolve(dictionary["FT"]).name, Self.fields.contains(field) {
      throw PDFReadError("the file has fields to be filled in, and what is entered would not be kept")
    }
  }

  // MARK: - Its pages

  /// Counts the leaves of the page tree, and checks the size of each.
  private struct PageWalk {
    let mostPages: Int
    private(set) var pages = 0
    private var seen: Set<PDFReference> = []

    init(mostPages: Int) {
      self.mostPages = mostPages
    }

    mutating func visit(
      _ node: PDFObject?, in file: PDFFile, inherited: PDFObject?, depth: Int
    ) throws(PDFReadError) {
      guard depth < PassiveFile.deepestTree else { throw PDFReadError("the tree of pages is too deep") }
      guard let reference = node?.reference, seen.insert(reference).inserted else {
        throw PDFReadError("the tree of pages leads in a circle, or nowhere")
      }
      guard let dictionary = try file.resolve(node).dictionary else { throw PDFReadError("a page is missing") }
      let box = dictionary["MediaBox"] ?? inherited
      guard let kids = try file.resolve(dictionary["Kids"]).array else {
        pages += 1
        guard pages <= mostPages else { throw PDFReadError("the file has more than \(mostPages) pages") }
        return try checkSize(box, in: file)
      }
      for kid in kids { try visit(kid, in: file, inherited: box, depth: depth + 1) }
    }

    private func checkSize(_ box: PDFObject?, in file: PDFFile) throws(PDFReadError) {
      var sides: [Double] = []
      for side in try file.resolve(box).array ?? [] {
        guard let length = try file.resolve(side).points else { throw PDFReadError("page \(pages) has no size") }
        sides.append(length)
      }
      guard sides.count == 4, PassiveFile.sides.contains(abs(sides[2] - sides[0])),
        PassiveFile.sides.contains(abs(sides[3] - sides[1]))
      else { throw PDFReadError("page \(pages) has no size, or one that nothing is printed in") }
    }
  }
}
