/// The drawing operators of a page, in points from its lower left corner, and the element that each piece belongs to.
public struct PageContent: Sendable {
  public let width: Double
  public let height: Double
  private(set) var bytes: [UInt8] = []
  /// The element of each piece, by its number on the page.
  private(set) var pieces: [StructureTree.ID] = []
  private(set) var fonts: Set<Int> = []
  private(set) var images: Set<Int> = []
  private(set) var opacities: Set<Opacity> = []
  private var color: RGB?
  private var font: (number: Int, size: Int)?

  public init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  // MARK: - Pieces

  /// Begins a piece of an element; returns the piece's number on this page.
  mutating func beginPiece(of id: StructureTree.ID, role: String) -> Int {
    add("/\(role)<</MCID \(pieces.count)>>BDC\n")
    pieces.append(id)
    return pieces.count - 1
  }

  mutating func endPiece() { add("EMC\n") }

  /// Begins an artifact, which is not part of the document's text: such as lines, and whatever repeats on each page.
  mutating func beginArtifact(_ kind: Artifact) {
    switch kind {
    case .layout: add("/Artifact<</Type/Layout>>BDC\n")
    case .header: add("/Artifact<</Type/Pagination/Subtype/Header>>BDC\n")
    case .footer: add("/Artifact<</Type/Pagination/Subtype/Footer>>BDC\n")
    case .watermark: add("/Artifact<</Type/Pagination/Subtype/Watermark>>BDC\n")
    case .repeated: add("/Artifact<</Type/Pagination>>BDC\n")
    }
  }

  public enum Artifact: Sendable {
    case layout, header, footer, watermark
    /// Repeated from an earlier page, such as the head of a table.
    case repeated
  }

  /// Makes everything until `endTranslucent` translucent.
  ///
  /// - Parameter thousandths: the opacity.
  public mutating func beginTranslucent(thousandths: Int) {
    let opacity = Opacity.fill(thousandths)
    opacities.insert(opacity)
    add("q /\(opacity.name) gs\n")
    (color, font) = (nil, nil)
  }

  public mutating func endTranslucent() {
    add("Q\n")
    (color, font) = (nil, nil)
  }

  // MARK: - Shapes

  public mutating func fill(_ box: PDFBox, _ color: RGB) {
    use(color)
    numbers([box.left, box.bottom, box.width, box.height])
    add("re f\n")
  }

  /// The opacity of fills or strokes. Operators select it by its name.
  public enum Opacity: Hashable, Sendable {
    case fill(_ thousandths: Int)
    case stroke(_ thousandths: Int)

    public var thousandths: Int {
      switch self {
      case .fill(let value), .stroke(let value): value
      }
    }

    public var name: String {
      switch self {
      case .fill(let value): "F\(value)"
      case .stroke(let value): "S\(value)"
      }
    }

    var state: PDFObject {
      switch self {
      case .fill(let value): .dictionary(["Type": .name("ExtGState"), "ca": .real(thousandths: value)])
      case .stroke(let value): .dictionary(["Type": .name("ExtGState"), "CA": .real(thousandths: value)])
      }
    }
  }

  /// Draws operators of a PDF page that have their own unit and y downwards. They may only contain paths, and select
  /// the opacities that are given.
  public mutating func paths(
    _ operators: [UInt8], in box: PDFBox, width: Double, height: Double, _ color: RGB, _ opacities: Set<Opacity> = []
  ) {
    self.opacities.formUnion(opacities)
    let scale = min(box.width / width, box.height / height)
    use(color)
    add("q ")
    // More decimals than coordinates have, since these are factors.
    add("\(Self.factor(scale)) 0 0 -\(Self.factor(scale)) ")
    numbers([box.left, box.bottom + height * scale])
    add("cm\n")
    bytes += operators
    add("Q\n")
  }

  private static func factor(_ value: Double) -> String {
    let millionths = Int((value * 1_000_000).rounded())
    let digits = String(millionths % 1_000_000 + 1_000_000).dropFirst()
    return "\(millionths / 1_000_000).\(digits)"
  }

  mutating func image(_ number: Int, _ orientation: JPEGOrientation, in box: PDFBox) {
    images.insert(number)
    add("q ")
    let unit = orientation.matrix
    numbers([
      unit[0] * box.width, unit[1] * box.height, unit[2] * box.width, unit[3] * box.height,
      unit[4] * box.width + box.left, unit[5] * box.height + box.bottom,
    ])
    add("cm /I\(number) Do Q\n")
  }

  // MARK: - Text

  /// A glyph to draw: its code, its advance, and its offset from the pen. In thousandths of an em, with y upwards.
  struct Mark {
    var code: Int
    /// The advance in the font's table, and the one in this line.
    var width: Int
    var advance: Int
    var offsetX = 0
    var offsetY = 0
  }

  /// - Parameters:
  ///   - meaning: the text that these glyphs stand for together, where their codes alone would give another one.
  mutating func text(
    _ marks: [Mark], font number: Int, size: Double, atX x: Double, y: Double, _ color: RGB, isEmboldened: Bool,
    meaning: String? = nil
  ) {
    use(color)
    fonts.insert(number)
    if let meaning {
      add("/Span<</ActualText")
      bytes.append(Self.utf16(meaning))
      add(">>BDC\n")
    }
    add("BT ")
    let thousandths = Int((size * 1000).rounded())
    if font?.number != number || font?.size != thousandths {
      add("/F\(number) ")
      bytes.append(thousandths: thousandths)
      add(" Tf ")
      font = (number, thousandths)
    }
    if isEmboldened {
      add("2 Tr ")
      numbers([size / 30])
      add("w \(color.words) RG ")
    }
    numbers([x, y])
    add("Td ")
    show(marks, size: size)
    if isEmboldened { add(" 0 Tr") }
    add(" ET\n")
    if meaning != nil { add("EMC\n") }
  }

  private mutating func show(_ marks: [Mark], size: Double) {
    var rise = 0
    var isOpen = false
    // How far the pen is too far to the right, in thousandths of an em.
    var excess = 0
    for mark in marks {
      if mark.offsetY != rise {
        if isOpen { add(">]TJ ") }
        isOpen = false
        rise = mark.offsetY
        numbers([Double(rise) * size / 1000])
        add("Ts ")
      }
      excess -= mark.offsetX
      if !isOpen {
        add("[")
        if excess != 0 { bytes.append(thousandths: excess * 1000) }
        add("<")
      } else if excess != 0 {
        add(">")
        bytes.append(thousandths: excess * 1000)
        add("<")
      }
      isOpen = true
      excess = 0
      bytes.append(digits: mark.code)
      excess = mark.width - mark.advance + mark.offsetX
    }
    if isOpen { add(">]TJ") }
    if rise != 0 { add(" 0 Ts") }
  }

  private static func utf16(_ text: String) -> PDFObject {
    .string([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }

  // MARK: - Bytes

  private mutating func use(_ color: RGB) {
    guard self.color != color else { return }
    self.color = color
    add("\(color.words) rg\n")
  }

  private mutating func numbers(_ values: [Double]) {
    for value in values {
      bytes.append(thousandths: Int((value * 100).rounded()) * 10)
      bytes.append(UInt8(ascii: " "))
    }
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }
}

/// A colour in sRGB.
public struct RGB: Hashable, Sendable {
  public let red, green, blue: UInt8

  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  public static let black = RGB(0, 0, 0)

  /// The three components from 0 to 1, as PDF's operators for colours take them.
  public var words: String {
    var bytes: [UInt8] = []
    for (index, part) in [red, green, blue].enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      bytes.append(thousandths: (Int(part) * 1000 + 127) / 255)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a code's two bytes as four hexadecimal digits.
  fileprivate mutating func append(digits code: Int) {
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(code >> shift & 15)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }
}
