internal import Base

/// The properties of a picture of ink. Two equal values, applied to the same ink, give the same bytes everywhere.
public struct RenderOptions: Hashable, Sendable {
  public var look: Look = .pad1
  public var format: PictureFormat = .png(.four)
  public var frame: Frame = .canvas
  public var size: PictureSize = .scale(1)
  /// Rotates the canvas with its ink before it is fitted into the picture.
  public var rotation: Rotation = .none
  /// The diameter of ink at medium speed in CSS pixels, scaled with the picture; nil draws each stroke with its own
  /// pen.
  public var penWidth: Double?
  public var ink: Color = .black
  /// The colour behind the ink; nil leaves it transparent.
  public var paper: Color? = .white
  /// The resolution on paper, which is written into a PNG as pHYs and sets the size of a PDF's page. It changes no
  /// pixel.
  public var dotsPerInch: Double?

  public init() {}
}

public enum PictureFormat: Hashable, Sendable {
  case png(BitDepth)
  case svg
  case pdf
  /// JPEG of a quality from 1 to 100.
  case jpeg(quality: Int)
  /// Lossless.
  case webp

  /// Whether the format consists of pixels.
  var isRaster: Bool {
    switch self {
    case .png, .jpeg, .webp: true
    case .svg, .pdf: false
    }
  }

  public var mediaType: String {
    switch self {
    case .png: "image/png"
    case .svg: "image/svg+xml"
    case .pdf: "application/pdf"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    }
  }
}

/// Bits per pixel of a PNG: 2, 16 or 256 steps from paper to ink.
public enum BitDepth: Int, CaseIterable, Sendable {
  case one = 1
  case four = 4
  case eight = 8
}

/// Which part of the plane a picture shows.
public enum Frame: Hashable, Sendable {
  /// The surface that was drawn on; the ink itself if the capture did not state its surface.
  case canvas
  /// The ink and a margin around it, in CSS pixels.
  case trimmed(margin: Double)
}

/// How large a picture is, in pixels (SVG user units, PDF points).
public enum PictureSize: Hashable, Sendable {
  /// The frame's size times a factor, which also scales lines. The size of a trimmed frame is not known in advance: if
  /// the picture would exceed the largest size, it is scaled by less.
  case scale(Double)
  /// Exactly this size: the frame is scaled to fit and centred.
  case pixels(width: Int, height: Int)
}

/// Quarter turns clockwise.
public enum Rotation: Int, CaseIterable, Sendable {
  case none = 0
  case right = 90
  case half = 180
  case left = 270
}

public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A colour in the form `#1a2b3c`; nil when `text` is anything else.
  public init?(hex text: String) {
    let digits = Array(text.utf8.dropFirst())
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      let bytes = Hex.decode(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
  }

  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 255, green: 255, blue: 255)

  public var hex: String { "#" + Hex.encode([red, green, blue]) }
}
