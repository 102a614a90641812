/// Why bytes cannot be shown as a picture.
public enum PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The picture is neither PNG nor JPEG.
  case unknownKind
  /// The picture has more pixels than are shown.
  case tooLarge(width: Int, height: Int)
  /// The picture has a form that pages do not show, such as an interlaced PNG.
  case unknownForm(String)
  case broken

  public var description: String {
    switch self {
    case .unknownKind: "it is neither PNG nor JPEG"
    case .tooLarge(let width, let height):
      "it has \(width) × \(height) pixels; at most \(PDFImage.mostPixels) are shown"
    case .unknownForm(let name): "it is \(name), which documents do not show"
    case .broken: "it is broken"
    }
  }
}

extension PDFImage {
  /// 40 megapixels: the photographs of large cameras.
  public static let mostPixels = 40_000_000

  /// Reads a picture, whose kind is recognised by the first bytes.
  ///
  /// - Parameter limit: the most pixels that it may have; never more than `mostPixels`.
  public init(reading bytes: [UInt8], limit: Int = mostPixels) throws(PictureFault) {
    let mostPixels = min(limit, Self.mostPixels)
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      guard bytes.count > 33 else { throw .broken }
      let (width, height) = (Self.number(bytes, 16), Self.number(bytes, 20))
      guard width > 0, height > 0 else { throw .broken }
      guard width <= mostPixels / height else { throw .tooLarge(width: width, height: height) }
      guard bytes[28] == 0 else { throw .unknownForm("an interlaced PNG") }
      guard let image = PDFImage(png: bytes) else { throw .broken }
      self = image
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      guard let frame = JPEGFrame(bytes) else { throw .broken }
      guard frame.width <= mostPixels / frame.height else {
        throw .tooLarge(width: frame.width, height: frame.height)
      }
      guard frame.components == 1 || frame.components == 3 else {
        throw .unknownForm("a JPEG with \(frame.components) colours")
      }
      guard let image = PDFImage(jpeg: bytes) else { throw .broken }
      self = image
    } else {
      throw .unknownKind
    }
  }

  /// How many pixels a PNG states that it has; 0 for anything else.
  public static func pixels(ofPNG bytes: [UInt8]) -> Int {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count > 33 else { return 0 }
    return min(number(bytes, 16), 1 << 20) * min(number(bytes, 20), 1 << 20)
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
