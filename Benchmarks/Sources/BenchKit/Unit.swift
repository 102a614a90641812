/// The unit of a figure, and whether a smaller figure is better.
public struct Unit: Sendable {
  public let name: String
  let lessIsBetter: Bool

  public init(_ name: String, lessIsBetter: Bool) {
    self.name = name
    self.lessIsBetter = lessIsBetter
  }

  public static let nanoseconds = Unit("ns", lessIsBetter: true)
  public static let microseconds = Unit("µs", lessIsBetter: true)
  public static let milliseconds = Unit("ms", lessIsBetter: true)
  public static let bytes = Unit("B", lessIsBetter: true)
  public static let kibibytes = Unit("KiB", lessIsBetter: true)
  public static let mebibytes = Unit("MiB", lessIsBetter: true)
  public static let perSecond = Unit("/s", lessIsBetter: false)

  /// How many times better `ours` is than `peers`.
  func ratio(_ ours: Double, to peers: Double) -> Double {
    lessIsBetter ? peers / ours : ours / peers
  }
}
