/// A finished picture.
public struct Picture: Hashable, Sendable {
  public let bytes: [UInt8]
  /// In pixels, SVG user units or PDF points.
  public let width: Int
  public let height: Int
  public let mediaType: String
}
