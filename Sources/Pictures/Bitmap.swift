/// Pixels of four bytes each, row by row from the top: red, green, blue, opacity.
public struct Bitmap: Hashable, Sendable {
  public let width: Int
  public let height: Int
  public let rgba: [UInt8]

  public init(width: Int, height: Int, rgba: [UInt8]) {
    precondition(width > 0 && height > 0 && rgba.count == width * height * 4, "four bytes a pixel")
    (self.width, self.height, self.rgba) = (width, height, rgba)
  }
}

/// Why a file cannot be decoded to pixels.
public enum BitmapFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file states more pixels than allowed; nothing of them was decoded.
  case tooLarge(width: Int, height: Int, bound: Int)
  /// The file has so many scans that decoding it would take too long; nothing of it was decoded.
  case tooManyScans(Int, width: Int, height: Int)
  /// The file is incomplete, or not what it claims to be.
  case broken(String)

  public var description: String {
    switch self {
    case .tooLarge(let width, let height, let bound):
      "has \(width) × \(height) pixels; at most \(bound) are read"
    case .tooManyScans(let scans, let width, let height):
      "has \(scans) scans of \(width) × \(height) pixels, more than are read"
    case .broken(let reason): "cannot be read: \(reason)"
    }
  }
}
