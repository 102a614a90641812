/// The limits of a decoder, which hold for any input.
public struct DecodingLimits: Hashable, Sendable {
  /// The longest input, in bytes.
  public var size: Int
  /// The most memory that the input may decode to, in bytes. Two bytes of input can stand for a whole message.
  public var expandedSize: Int
  /// How deeply messages may be nested.
  public var depth: Int
  /// Whether to refuse texts with more than 30 combining marks in a row, which would be slow to compare.
  public var boundsMarks: Bool

  public init(size: Int = 32 << 20, expandedSize: Int = 128 << 20, depth: Int = 32, boundsMarks: Bool = false) {
    self.size = size
    self.expandedSize = expandedSize
    self.depth = depth
    self.boundsMarks = boundsMarks
  }

  /// 32 MiB of input, 128 MiB decoded, 32 levels.
  public static let standard = DecodingLimits()

  /// The same limits, with the bound on marks, for requests. What a service has stored is read without that bound,
  /// since the service may have joined two texts.
  public static let requests = DecodingLimits(boundsMarks: true)
}
