import Ink

/// Reads a PNG without any optimisation: the parts of the format that `Renderer` writes, and strictly.
struct DecodedPNG {
  let width: Int
  let height: Int
  let depth: Int
  let colorType: Int
  /// The chunks' names in order, and their contents.
  let chunks: [(type: String, body: [UInt8])]
  /// The rows of the file, each after its filter byte.
  let rows: [UInt8]

  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { throw Malformed.signature }
    var chunks: [(type: String, body: [UInt8])] = []
    var place = 8
    while place < bytes.count {
      let length = Self.word(bytes, place)
      guard place + 12 + length <= bytes.count else { throw Malformed.length }
      chunks.append(
        (String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), Array(bytes[place + 8..<place + 8 + length])))
      place += 12 + length
    }
    self.chunks = chunks
    let header = try Self.body("IHDR", chunks)
    (width, height, depth, colorType) = (
      Self.word(header, 0), Self.word(header, 4), Int(header[8]), Int(header[9])
    )
    let rowBytes = 1 + (width * depth + 7) / 8
    guard let rows = inflate(try Self.body("IDAT", chunks), to: rowBytes * height) else { throw Malformed.data }
    guard stride(from: 0, to: rows.count, by: rowBytes).allSatisfy({ rows[$0] == 0 }) else { throw Malformed.filter }
    self.rows = rows
  }

  enum Malformed: Error { case signature, length, missing, data, filter }

  /// The ink of each pixel, 0 to 255; grey counts the other way.
  func ink() -> [Int] {
    let full = (1 << depth) - 1
    var ink: [Int] = []
    ink.reserveCapacity(width * height)
    for start in stride(from: 1, to: rows.count, by: rows.count / height) {
      for bit in stride(from: 0, to: width * depth, by: depth) {
        let step = Int(rows[start + bit / 8]) >> (8 - depth - bit % 8) & full
        ink.append((colorType == 0 ? full - step : step) * 255 / full)
      }
    }
    return ink
  }

  func body(_ type: String) -> [UInt8]? { chunks.first { $0.type == type }?.body }

  private static func body(_ type: String, _ chunks: [(type: String, body: [UInt8])]) throws -> [UInt8] {
    guard let chunk = chunks.first(where: { $0.type == type }) else { throw Malformed.missing }
    return chunk.body
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
