/// Reads a PNG as pixels of three bytes. Transparent pixels are blended with white paper. Interlaced files are refused.
struct PNGReader {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var rgb: [UInt8] = []
  private var depth = 0
  private var kind = 0
  private var palette: [UInt8] = []
  private var transparency: [UInt8] = []

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var data: [UInt8] = []
    var at = 8
    while at + 12 <= bytes.count {
      let length = Self.number(bytes, at)
      guard length <= bytes.count - at - 12 else { return nil }
      let crc = Checksum.crc32(bytes[(at + 4)..<(at + 8 + length)])
      guard crc == UInt32(Self.number(bytes, at + 8 + length)) else { return nil }
      let body = bytes[(at + 8)..<(at + 8 + length)]
      let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
      // The header must come first and only once, so that bounds are checked before anything is decompressed.
      guard (name == "IHDR") == (at == 8) else { return nil }
      switch name {
      case "IHDR": guard readHeader(Array(body)) else { return nil }
      case "PLTE": palette = Array(body)
      case "tRNS": transparency = Array(body)
      case "IDAT": data += body
      case "IEND":
        guard width > 0, unpack(data) else { return nil }
        return
      default: break
      }
      at += length + 12
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func readHeader(_ body: [UInt8]) -> Bool {
    guard body.count == 13, body[12] == 0 else { return false }
    (width, height) = (Self.number(body, 0), Self.number(body, 4))
    (depth, kind) = (Int(body[8]), Int(body[9]))
    let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
    return width > 0 && height > 0 && width <= PDFImage.mostPixels / height && depths[kind]?.contains(depth) == true
  }

  private var samples: Int { [2: 3, 4: 2, 6: 4][kind] ?? 1 }

  private mutating func unpack(_ data: [UInt8]) -> Bool {
    let rowBytes = (width * samples * depth + 7) / 8
    guard let packed = Decompressor.zlib(data[...], limit: (rowBytes + 1) * height),
      packed.count == (rowBytes + 1) * height
    else { return false }
    rgb.reserveCapacity(width * height * 3)
    do throws(PDFReadError) {
      // Row by row, since pixels of 16 bits take several times the bytes that are kept of them.
      var rows = try PNGRows(packed, rowBytes: rowBytes, pixelBytes: max(1, samples * depth / 8))
      while let row = try rows.next() {
        for column in 0..<width {
          guard append(row, column) else { return false }
        }
      }
    } catch {
      return false
    }
    return true
  }

  /// Adds a pixel; returns false when the palette lacks its colour.
  private mutating func append(_ row: [UInt8], _ column: Int) -> Bool {
    func sample(_ index: Int) -> Int {
      let place = column * samples + index
      switch depth {
      case 8: return Int(row[place])
      case 16: return Int(row[place * 2])
      default: return Int(row[place * depth / 8]) >> (8 - depth - place * depth % 8) & (1 << depth - 1)
      }
    }
    let most = depth == 16 ? 255 : 1 << depth - 1
    switch kind {
    case 0:
      let grey = sample(0)
      add(grey * 255 / most, grey * 255 / most, grey * 255 / most, alpha: isKey(grey) ? 0 : 255)
    case 2:
      let (red, green, blue) = (sample(0), sample(1), sample(2))
      add(red, green, blue, alpha: isKey(red, green, blue) ? 0 : 255)
    case 3:
      let entry = sample(0)
      guard entry * 3 + 2 < palette.count else { return false }
      add(
        Int(palette[entry * 3]), Int(palette[entry * 3 + 1]), Int(palette[entry * 3 + 2]),
        alpha: entry < transparency.count ? Int(transparency[entry]) : 255)
    case 4:
      let grey = sample(0)
      add(grey, grey, grey, alpha: sample(1))
    default: add(sample(0), sample(1), sample(2), alpha: sample(3))
    }
    return true
  }

  /// Whether this is the one colour that is transparent.
  private func isKey(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
    transparency.count == 6 && red == key(0) && green == key(1) && blue == key(2)
  }

  private func isKey(_ grey: Int) -> Bool { transparency.count == 2 && grey == key(0) }

  private func key(_ index: Int) -> Int { Int(transparency[index * 2 + (depth == 16 ? 0 : 1)]) }

  private mutating func add(_ red: Int, _ green: Int, _ blue: Int, alpha: Int) {
    let ground = 255 * (255 - alpha) + 127
    rgb.append(UInt8((red * alpha + ground) / 255))
    rgb.append(UInt8((green * alpha + ground) / 255))
    rgb.append(UInt8((blue * alpha + ground) / 255))
  }
}
