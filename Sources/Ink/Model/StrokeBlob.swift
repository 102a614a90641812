public import Base

/// A signature in its only binary form, and the hash that identifies it.
///
/// Every value is a variable-length integer in steps of the grid, as a difference from the point before: some five
/// bytes for each point, a tenth of its JSON. Equal ink has equal bytes, so the hash identifies the signature itself.
/// docs/ink.md describes the layout.
public struct StrokeBlob: Hashable, Sendable {
  public let bytes: [UInt8]
  /// SHA-256 of `bytes`.
  public let hash: Digest

  public init(_ ink: Ink) {
    bytes = BlobWriter.bytes(of: ink)
    hash = Digest(of: bytes)
  }

  /// Reads ink from its binary form. Refuses bytes other than those that `init(_ ink:)` would write.
  public static func read(_ bytes: [UInt8]) throws(InkError) -> Ink {
    var reader = BlobReader(bytes)
    let ink = try reader.ink()
    guard StrokeBlob(ink).bytes == bytes else {
      throw InkError(
        path: "blob", finding: "is not in the form that is written for its strokes", requirement: "send it unchanged"
      )
    }
    return ink
  }
}

/// Constants of the format, for the writer and the reader.
enum BlobFormat {
  /// Name and version.
  static let magic = Array("INK\u{1}".utf8)
  /// The version with words below the ink, which follow the device.
  static let inscribedMagic = Array("INK\u{2}".utf8)
  /// If all values of a coordinate or a time are multiples of one of these, the blob stores the quotients.
  static let units = [1000, 100, 10, 1]

  enum Has {
    static let pressure: UInt8 = 1
    static let altitude: UInt8 = 2
    static let azimuth: UInt8 = 4
    static let pen: UInt8 = 8
    static let filter: UInt8 = 16
    static let eraser: UInt8 = 32
  }
}

/// A point in whole steps of the grid.
struct GridPoint {
  var x = 0
  var y = 0
  var time = 0
  /// One more than the steps; zero for a missing value.
  var pressure = 0
  var altitude = 0
  var azimuth = 0

  init() {}

  init(_ point: StrokePoint) {
    x = Self.steps(point.x, Grid.coordinate)
    y = Self.steps(point.y, Grid.coordinate)
    time = Self.steps(point.time, Grid.time)
    pressure = Self.told(point.pressure, Grid.pressure)
    altitude = Self.told(point.altitude, Grid.angle)
    azimuth = Self.told(point.azimuth, Grid.angle)
  }

  var point: StrokePoint {
    StrokePoint(
      x: Double(x) / Grid.coordinate, y: Double(y) / Grid.coordinate, time: Double(time) / Grid.time,
      pressure: Self.value(pressure, Grid.pressure), altitude: Self.value(altitude, Grid.angle),
      azimuth: Self.value(azimuth, Grid.angle))
  }

  static func steps(_ value: Double, _ steps: Double) -> Int { Int((value * steps).rounded()) }

  static func told(_ value: Double?, _ steps: Double) -> Int { value.map { Self.steps($0, steps) + 1 } ?? 0 }

  static func value(_ told: Int, _ steps: Double) -> Double? { told > 0 ? Double(told - 1) / steps : nil }
}
