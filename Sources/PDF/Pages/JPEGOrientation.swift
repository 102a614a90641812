/// How a JPEG's rows are shown, by its EXIF: cameras store what the sensor sees and how the camera was held. Browsers
/// turn pictures accordingly.
public struct JPEGOrientation: Hashable, Sendable {
  /// Whether rows are shown as columns.
  public let isTurned: Bool
  private let mirrorsColumns: Bool
  private let mirrorsRows: Bool

  public static let upright = JPEGOrientation(number: 1)

  private init(number: Int) {
    isTurned = (5...8).contains(number)
    mirrorsColumns = [2, 3, 7, 8].contains(number)
    mirrorsRows = [3, 4, 6, 7].contains(number)
  }

  /// Upright if the file does not state it, or not as EXIF does.
  public init(of jpeg: [UInt8]) {
    self.init(number: Self.segment(in: jpeg).flatMap(Self.number) ?? 1)
  }

  /// The place in the file of a pixel that is shown at (`x`, `y`); `width` and `height` are those in the file.
  public func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    let (column, row) = isTurned ? (y, x) : (x, y)
    return (mirrorsColumns ? width - 1 - column : column, mirrorsRows ? height - 1 - row : row)
  }

  /// The matrix that turns a picture upright within the unit square, into which PDF draws it.
  var matrix: [Double] {
    isTurned
      ? [
        0, mirrorsColumns ? 1 : -1, mirrorsRows ? 1 : -1, 0, mirrorsRows ? 0 : 1, mirrorsColumns ? 0 : 1,
      ]
      : [
        mirrorsColumns ? -1 : 1, 0, 0, mirrorsRows ? -1 : 1, mirrorsColumns ? 1 : 0, mirrorsRows ? 1 : 0,
      ]
  }

  // MARK: - Reading

  /// The EXIF data, in the form of TIFF.
  private static func segment(in jpeg: [UInt8]) -> ArraySlice<UInt8>? {
    let mark = Array("Exif\0\0".utf8)
    let segment = JPEGSegments(jpeg).first { $0.marker == JPEGMarker.exif && $0.body.starts(with: mark) }
    return segment?.body.dropFirst(mark.count)
  }

  private static let orientation = 0x0112

  private static func number(_ tiff: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(tiff)
    let isLittle = bytes.starts(with: [0x49, 0x49, 42, 0])
    guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0, 42]) else { return nil }
    func value(at place: Int, _ count: Int) -> Int? {
      guard place >= 0, place <= bytes.count - count else { return nil }
      let digits = bytes[place..<(place + count)]
      return isLittle
        ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = value(at: 4, 4), let count = value(at: directory, 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = value(at: place, 2) else { return nil }
      if tag == orientation { return value(at: place + 8, 2) }
    }
    return nil
  }
}
