/// Reads other programs' PNG of 8-bit RGB or RGBA: all five filters, one image, no palette.
enum PlainPNG {
  /// The ink of each pixel, 0 to 255, computed from its green.
  static func ink(_ file: [UInt8]) throws -> [Int] {
    var (width, height, channels) = (0, 0, 0)
    var data: [UInt8] = []
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: file[place + 4..<place + 8], as: UTF8.self)
      let body = Array(file[place + 8..<place + 8 + length])
      if type == "IHDR" {
        width = body[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = body[4..<8].reduce(0) { $0 << 8 | Int($1) }
        channels = body[9] == 6 ? 4 : 3
      }
      if type == "IDAT" { data += body }
      place += 12 + length
    }
    let rowBytes = width * channels
    guard let rows = inflate(data, to: (rowBytes + 1) * height) else { throw DecodedPNG.Malformed.data }
    var above = [UInt8](repeating: 0, count: rowBytes)
    var ink: [Int] = []
    for start in stride(from: 0, to: rows.count, by: rowBytes + 1) {
      var row = Array(rows[start + 1...start + rowBytes])
      for index in row.indices {
        let left = index >= channels ? Int(row[index - channels]) : 0, up = Int(above[index])
        let corner = index >= channels ? Int(above[index - channels]) : 0
        row[index] &+= UInt8(truncatingIfNeeded: prediction(rows[start], left, up, corner))
      }
      for pixel in stride(from: 0, to: rowBytes, by: channels) { ink.append(255 - Int(row[pixel + 1])) }
      above = row
    }
    return ink
  }

  private static func prediction(_ filter: UInt8, _ left: Int, _ up: Int, _ corner: Int) -> Int {
    switch filter {
    case 1: return left
    case 2: return up
    case 3: return (left + up) / 2
    case 4:
      let estimate = left + up - corner
      let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
      return a <= b && a <= c ? left : b <= c ? up : corner
    default: return 0
    }
  }
}
