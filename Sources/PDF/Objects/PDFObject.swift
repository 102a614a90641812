/// A value of a PDF file. Dictionaries keep their order, so that the same value always has the same bytes.
public indirect enum PDFObject: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// In thousandths, which is precise enough for any length on a page.
  case real(thousandths: Int)
  /// A real with more than three decimals, as digits without trailing zeros. Such values come only from files that were
  /// read.
  case decimal(String)
  /// One character for each byte, as in Latin-1, so that two names are equal only if their bytes are. (In UTF-8 they
  /// would not be: Swift's strings are equal if they look the same.)
  case name(String)
  case string([UInt8])
  case array([PDFObject])
  case dictionary(PDFDictionary)
  case stream(PDFStream)
  case reference(PDFReference)
}

/// The number of an object in a file.
public struct PDFReference: Hashable, Sendable {
  public let number: Int
  public let generation: Int

  public init(_ number: Int, generation: Int = 0) {
    self.number = number
    self.generation = generation
  }
}

/// A dictionary and the bytes in the file, before any filter is undone.
public struct PDFStream: Hashable, Sendable {
  public var dictionary: PDFDictionary
  public var bytes: [UInt8]

  public init(_ dictionary: PDFDictionary, _ bytes: [UInt8]) {
    self.dictionary = dictionary
    self.bytes = bytes
  }
}

/// Names and their values in the order in which they were added.
public struct PDFDictionary: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var entries: [(name: String, value: PDFObject)] = []

  public init() {}

  init(_ entries: [(String, PDFObject)]) {
    self.entries = entries.map { (name: $0.0, value: $0.1) }
  }

  public init(dictionaryLiteral elements: (String, PDFObject)...) {
    entries = elements.map { ($0.0, $0.1) }
  }

  /// Setting nil removes the entry.
  public subscript(name: String) -> PDFObject? {
    get { entries.first { $0.name == name }?.value }
    set {
      let place = entries.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): entries[place].value = value
      case (let place?, nil): entries.remove(at: place)
      case (nil, let value?): entries.append((name, value))
      case (nil, nil): break
      }
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.entries.count == right.entries.count
      && zip(left.entries, right.entries).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry.name)
      hasher.combine(entry.value)
    }
  }
}

extension PDFObject {
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  public var name: String? { if case .name(let value) = self { value } else { nil } }
  public var array: [PDFObject]? { if case .array(let value) = self { value } else { nil } }
  public var reference: PDFReference? { if case .reference(let value) = self { value } else { nil } }
  public var string: [UInt8]? { if case .string(let value) = self { value } else { nil } }
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The dictionary; for a stream, the stream's own.
  public var dictionary: PDFDictionary? {
    switch self {
    case .dictionary(let value): value
    case .stream(let stream): stream.dictionary
    default: nil
    }
  }

  /// Text as a PDF string: ASCII unchanged, anything else in UTF-16 with a byte-order mark.
  public static func text(_ text: String) -> PDFObject {
    let isPlain = text.utf8.allSatisfy { (32...126).contains($0) }
    if isPlain { return .string(Array(text.utf8)) }
    return .string([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }

  /// The text of a string in UTF-16 or UTF-8 with a mark, or otherwise in single bytes.
  public var text: String? {
    guard let bytes = string else { return nil }
    if bytes.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The number as a length in points.
  public var points: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let thousandths): Double(thousandths) / 1000
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }

  public static func real(_ value: Double) -> PDFObject { .real(thousandths: Int((value * 1000).rounded())) }

  public static func to(_ number: Int) -> PDFObject { .reference(PDFReference(number)) }

  public static func rectangle(_ box: PDFBox) -> PDFObject {
    .array([.real(box.left), .real(box.bottom), .real(box.right), .real(box.top)])
  }
}

/// A rectangle on a page, in points, with y upwards.
public struct PDFBox: Hashable, Sendable {
  public var left, bottom, right, top: Double

  public init(left: Double, bottom: Double, right: Double, top: Double) {
    (self.left, self.bottom, self.right, self.top) = (left, bottom, right, top)
  }

  public var width: Double { right - left }
  public var height: Double { top - bottom }

  public func union(_ other: PDFBox) -> PDFBox {
    PDFBox(
      left: min(left, other.left), bottom: min(bottom, other.bottom), right: max(right, other.right),
      top: max(top, other.top))
  }
}
