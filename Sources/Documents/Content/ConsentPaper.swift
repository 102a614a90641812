public import Base
public import PDF

/// A consent document before it is laid out. It is self-contained: the same value gives the same bytes.
public struct ConsentPaper: Sendable {
  public var title: String
  /// A language tag: BCP 47.
  public var language: String
  /// nil for the direction in which the language is written.
  public var isRightToLeft: Bool?
  public var size: Size
  public var sections: [Section]
  /// Clean markup that is shown instead of title and sections, unless it is empty.
  public var separateMarkup = ""
  public var signaturePage: SignaturePage
  /// The margin around the text, in points: unless said, nearly 16 mm.
  public var margin = 45.0
  /// Small text at the top of each page, such as the study or the version.
  public var header = ""
  /// With {page} and {pages}; nil for a footer in the document's language.
  public var footer: String?
  /// Text across each page, which marks a preview as a document without effect.
  public var watermark = ""
  /// Pictures, by the names that markup refers to them by.
  public var pictures: [String: PDFImage] = [:]
  /// Vector pictures, likewise.
  public var drawings: [String: VectorPicture] = [:]
  public var attachments: [Attachment] = []
  /// Whoever publishes the document.
  public var author = ""
  public var created: Instant

  public enum Size: Sendable {
    case a4, letter

    var points: (width: Double, height: Double) {
      switch self {
      case .a4: (595.276, 841.89)
      case .letter: (612, 792)
      }
    }
  }

  public struct Section: Sendable {
    /// No heading is shown if it is empty.
    public var heading: String
    /// The language of the heading, if it differs from the document's: screen readers change their voice for it.
    public var headingLanguage: String?
    /// Clean markup.
    public var markup: String

    public init(heading: String, headingLanguage: String? = nil, markup: String) {
      self.heading = heading
      self.headingLanguage = headingLanguage
      self.markup = markup
    }
  }

  public init(
    title: String, language: String, size: Size, sections: [Section], signaturePage: SignaturePage, created: Instant
  ) {
    self.title = title
    self.language = language
    self.size = size
    self.sections = sections
    self.signaturePage = signaturePage
    self.created = created
  }
}

/// The last page: who signed, in which role and with which meaning, and when.
public struct SignaturePage: Sendable {
  public var title: String
  /// The language of the title, if it differs from the document's.
  public var titleLanguage: String?
  /// Clean markup.
  public var content: String
  public var blocks: [SignatureBlock]
  /// How anybody can check the document.
  public var verification: Verification?
  /// Whether the page has a field for the seal.
  public var hasSealField = true

  public struct Verification: Sendable {
    /// An address with an identifier that nobody can guess and no personal data; also shown as a QR code.
    public var address: String

    public init(address: String) {
      self.address = address
    }
  }

  public init(title: String, content: String = "", blocks: [SignatureBlock]) {
    self.title = title
    self.content = content
    self.blocks = blocks
  }
}

/// A signature, or the place for one that is still to be made.
public struct SignatureBlock: Sendable {
  /// For instance Participant or Investigator.
  public var title: String
  public var role: String
  /// The language of the role, if it differs from the document's.
  public var roleLanguage: String?
  /// What the signer states by signing.
  public var meaning: String
  public var printedName: String
  /// Date and time with their zone, as printed.
  public var printedTime: String
  /// The language of the words in the time, if it differs from the document's.
  public var timeLanguage: String?
  public var picture: VectorPicture?
  public var showsPicture: Bool
  public var showsName: Bool

  /// The time is shown with a signature or a name.
  var showsTime: Bool { showsPicture || showsName }

  public init(
    title: String, role: String = "", meaning: String = "", printedName: String = "", printedTime: String = "",
    picture: VectorPicture? = nil, showsPicture: Bool = true, showsName: Bool = true
  ) {
    (self.title, self.role, self.meaning) = (title, role, meaning)
    (self.printedName, self.printedTime, self.picture) = (printedName, printedTime, picture)
    (self.showsPicture, self.showsName) = (showsPicture, showsName)
  }
}

/// A drawing as operators of a PDF page that paint paths, with y downwards. `Ink` makes such from strokes and typed
/// names, and SVG drawings are converted to it.
public struct VectorPicture: Sendable {
  public typealias Opacity = PageContent.Opacity

  public let operators: [UInt8]
  public let width: Double
  public let height: Double
  /// The opacities that the operators refer to.
  let opacities: Set<Opacity>

  public init(operators: [UInt8], width: Double, height: Double) {
    self.init(operators: operators, width: width, height: height, opacities: [])
  }

  init(operators: [UInt8], width: Double, height: Double, opacities: Set<Opacity>) {
    (self.operators, self.width, self.height, self.opacities) = (operators, width, height, opacities)
  }
}
