/// The colour space sRGB as an ICC profile of version 2. It is computed from the figures of IEC 61966-2-1, so that we
/// may distribute it freely.
enum SRGBProfile {
  static let bytes: [UInt8] = {
    let curve = tag("curv", count(256) + (0..<256).flatMap { half(UInt16(linear(Double($0) / 255) * 65_535 + 0.5)) })
    let tags: [(name: String, bytes: [UInt8])] = [
      ("desc", description), ("cprt", tag("text", Array("No rights reserved. CC0.\0".utf8))),
      // All are relative to D50, the white point through which profiles are connected.
      ("wtpt", place(0.9642, 1.0, 0.8249)), ("rXYZ", place(0.436_07, 0.222_49, 0.013_92)),
      ("gXYZ", place(0.385_15, 0.716_87, 0.097_08)), ("bXYZ", place(0.143_07, 0.060_61, 0.714_10)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = count(tags.count)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    var known: [(bytes: [UInt8], offset: Int)] = []
    for (name, bytes) in tags {
      let offset = known.first { $0.bytes == bytes }?.offset ?? start + data.count
      if offset == start + data.count {
        data += bytes
        while data.count % 4 != 0 { data.append(0) }
        known.append((bytes, offset))
      }
      table += Array(name.utf8) + count(offset) + count(bytes.count)
    }
    return header(size: start + data.count) + table + data
  }()

  private static func header(size: Int) -> [UInt8] {
    var bytes = count(size) + [UInt8](repeating: 0, count: 4)
    bytes += [2, 0x10, 0, 0]
    bytes += Array("mntrRGB XYZ ".utf8)
    // The date is always 1 January 2024, so that the profile has the same bytes every day.
    for part in [2024, 1, 1, 0, 0, 0] as [UInt16] { bytes += half(part) }
    bytes += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    bytes += fixed(0.9642) + fixed(1) + fixed(0.8249)
    return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
  }

  private static let description: [UInt8] = {
    let name = Array("sRGB IEC61966-2.1\0".utf8)
    return tag("desc", count(name.count) + name + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67))
  }()

  /// The light intensity that a value stands for: ((v + 0.055) / 1.055)^2.4, and linear near black.
  private static func linear(_ value: Double) -> Double {
    guard value > 0.040_45 else { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    // base^2.4 = base² · (base²)^(1/5), by Newton's method: the same bits on every machine.
    let square = base * base
    var root = 1.0
    for _ in 0..<30 { root = (4 * root + square / (root * root * root * root)) / 5 }
    return square * root
  }

  private static func place(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    tag("XYZ ", fixed(x) + fixed(y) + fixed(z))
  }

  private static func tag(_ name: String, _ bytes: [UInt8]) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] + bytes }

  private static func fixed(_ value: Double) -> [UInt8] { count(Int((value * 65_536).rounded())) }

  private static func count(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - $0 * 8) & 255) } }

  private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
}
