/// The limits of a decoder. No input can make it use more.
public struct DecodingLimits: Hashable, Sendable {
  /// The longest input, in bytes.
  public var size: Int
  /// The most memory that the input may decode to, in bytes. Two bytes of input can stand for a whole message.
  public var expandedSize: Int
  /// How deep messages may be nested.
  public var depth: Int
  /// Whether texts may not have more than 30 combining marks in a row, which would take long to compare.
  public var boundsMarks: Bool

  public init(size: Int = 32 << 20, expandedSize: Int = 128 << 20, depth: Int = 32, boundsMarks: Bool = false) {
    self.size = size
    self.expandedSize = expandedSize
    self.depth = depth
    self.boundsMarks = boundsMarks
  }

  /// 32 MiB of input, 128 MiB decoded, 32 levels.
  public static let standard = DecodingLimits()

  /// The same for what somebody else sends. What a service has stored is read without the bound on marks: it may have
  /// put two texts together.
  public static let requests = DecodingLimits(boundsMarks: true)
}
