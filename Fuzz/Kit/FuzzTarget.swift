/// Code that takes bytes from strangers.
public protocol FuzzTarget {
  /// What does not hold for this input, or nil.
  static func complaint(about input: [UInt8]) -> String?

  /// First inputs.
  static func seeds() -> [[UInt8]]
}
