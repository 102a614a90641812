/// Something that takes bytes from strangers.
public protocol FuzzTarget {
  /// What does not hold for this input, or nil.
  static func complaint(about input: [UInt8]) -> String?

  /// Inputs to begin with.
  static func seeds() -> [[UInt8]]
}
