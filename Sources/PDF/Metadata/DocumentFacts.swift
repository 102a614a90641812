public import Base

/// What a document states about itself, in its dictionary and, in the same words, in its metadata.
public struct DocumentFacts: Sendable {
  public var title: String
  /// A language tag: BCP 47.
  public var language: String
  public var author: String
  /// The program that the document was made for.
  public var creator: String
  public var created: Instant
  public var isRightToLeft: Bool

  public init(
    title: String, language: String, author: String = "", creator: String = "Assent", created: Instant,
    isRightToLeft: Bool = false
  ) {
    self.title = title
    self.language = language
    self.author = author
    self.creator = creator
    self.created = created
    self.isRightToLeft = isRightToLeft
  }

  static let producer = "Assent PDF writer"

  /// The dictionary `Info`.
  var dictionary: PDFDictionary {
    let date = PDFObject.string(Array(PDFDate.text(created).utf8))
    var info: PDFDictionary = ["Title": .text(title)]
    if !author.isEmpty { info["Author"] = .text(author) }
    info["Creator"] = .text(creator)
    info["Producer"] = .text(Self.producer)
    info["CreationDate"] = date
    info["ModDate"] = date
    return info
  }
}

/// Dates as PDF writes them, in UTC.
public enum PDFDate {
  /// D:20260301093000Z
  public static func text(_ instant: Instant) -> String {
    let digits = TimeText.rfc3339(instant).utf8.filter { (48...57).contains($0) }
    return "D:\(String(decoding: digits.prefix(14), as: UTF8.self))Z"
  }
}
