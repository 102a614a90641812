/// A picture on a page: rows of pixels, or a JPEG whose coded picture is embedded unchanged.
public struct PDFImage: Sendable {
  /// The width as shown, after turning.
  public let width: Int
  public let height: Int
  let orientation: JPEGOrientation
  private let data: Data

  private enum Data: Sendable {
    /// Eight bits for each component.
    case pixels(rgb: [UInt8])
    case gray([UInt8])
    case jpeg([UInt8], components: Int)
  }

  /// - Parameter rgb: three bytes for each pixel, row by row from the top. nil when their number does not fit the
  ///   size.
  public init?(width: Int, height: Int, rgb: [UInt8]) {
    guard width > 0, height > 0, rgb.count == width * height * 3 else { return nil }
    (self.width, self.height, orientation, data) = (width, height, .upright, .pixels(rgb: rgb))
  }

  public init?(width: Int, height: Int, gray: [UInt8]) {
    guard width > 0, height > 0, gray.count == width * height else { return nil }
    (self.width, self.height, orientation, data) = (width, height, .upright, .gray(gray))
  }

  /// - Parameter jpeg: a JPEG with one component (grey) or three. The result is nil for anything else.
  public init?(jpeg: [UInt8]) {
    guard let frame = JPEGFrame(jpeg), frame.components == 1 || frame.components == 3,
      frame.width <= Self.mostPixels / frame.height, let bare = BareJPEG.bytes(of: jpeg)
    else { return nil }
    orientation = JPEGOrientation(of: jpeg)
    (width, height) = orientation.isTurned ? (frame.height, frame.width) : (frame.width, frame.height)
    data = .jpeg(bare, components: frame.components)
  }

  /// - Parameter png: a PNG that is not interlaced. The result is nil for anything else.
  public init?(png: [UInt8]) {
    guard let picture = PNGReader(png) else { return nil }
    self.init(width: picture.width, height: picture.height, rgb: picture.rgb)
  }

  /// Three bytes for each pixel, row by row; nil for a JPEG, which is embedded without decoding.
  public var pixels: [UInt8]? {
    switch data {
    case .pixels(let rgb): rgb
    case .gray(let gray): gray.flatMap { [$0, $0, $0] }
    case .jpeg: nil
    }
  }

  func write(into writer: inout FileWriter) -> Int {
    let (columns, rows) = orientation.isTurned ? (height, width) : (width, height)
    var dictionary: PDFDictionary = [
      "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(columns), "Height": .integer(rows),
      "BitsPerComponent": .integer(8), "Interpolate": .boolean(false),
    ]
    switch data {
    case .pixels(let rgb):
      dictionary["ColorSpace"] = .name("DeviceRGB")
      return writer.add(stream: rgb, dictionary)
    case .gray(let gray):
      dictionary["ColorSpace"] = .name("DeviceGray")
      return writer.add(stream: gray, dictionary)
    case .jpeg(let bytes, let components):
      dictionary["ColorSpace"] = .name(components == 1 ? "DeviceGray" : "DeviceRGB")
      dictionary["Filter"] = .name("DCTDecode")
      return writer.add(stream: bytes, dictionary, isPlain: true)
    }
  }
}

/// The size of a JPEG, from its frame's header.
struct JPEGFrame {
  let width: Int
  let height: Int
  let components: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
    let segment = JPEGSegments(bytes).first { JPEGMarker.frames.contains($0.marker) }
    guard let frame = segment?.body.prefix(6).map({ Int($0) }), frame.count == 6, frame[0] == 8 else { return nil }
    height = frame[1] << 8 | frame[2]
    width = frame[3] << 8 | frame[4]
    components = frame[5]
    if width == 0 || height == 0 { return nil }
  }
}
