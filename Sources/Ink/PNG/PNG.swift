/// A PNG file (ISO/IEC 15948) around compressed rows.
struct PNG {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  enum Pixels: UInt8 {
    case grey = 0
    case palette = 3
  }

  init(width: Int, height: Int, depth: BitDepth, pixels: Pixels) {
    chunk("IHDR") {
      $0.append(big: UInt32(width))
      $0.append(big: UInt32(height))
      $0 += [UInt8(depth.rawValue), pixels.rawValue, 0, 0, 0]
    }
  }

  /// Writes how many pixels make a metre of paper.
  mutating func density(dotsPerInch: Double) {
    let perMetre = UInt32((dotsPerInch / 0.0254).rounded())
    chunk("pHYs") {
      $0.append(big: perMetre)
      $0.append(big: perMetre)
      $0.append(1)
    }
  }

  /// Writes the palette: steps from paper to ink in colour, or in opacity if there is no paper.
  mutating func ramp(ink: Color, paper: Color?, steps: Int) {
    let last = steps - 1
    func blend(_ from: UInt8, _ to: UInt8, _ step: Int) -> UInt8 {
      UInt8((Int(from) * (last - step) + Int(to) * step + last / 2) / last)
    }
    chunk("PLTE") {
      for step in 0...last {
        let ground = paper ?? ink
        $0 += [
          blend(ground.red, ink.red, step), blend(ground.green, ink.green, step), blend(ground.blue, ink.blue, step),
        ]
      }
    }
    guard paper == nil else { return }
    // The last entry is opaque, and opaque entries at the end may be omitted.
    chunk("tRNS") { bytes in (0..<last).forEach { bytes.append(blend(0, 255, $0)) } }
  }

  mutating func image(_ rows: [UInt8], _ deflater: borrowing Deflater) {
    chunk("IDAT") { deflater.append(zlib: rows, to: &$0) }
  }

  consuming func finish() -> [UInt8] {
    chunk("IEND") { _ in }
    return bytes
  }

  private mutating func chunk(_ type: StaticString, _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(big: 0)
    bytes += Array(type.description.utf8)
    body(&bytes)
    let length = UInt32(bytes.count - start - 8)
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
    bytes.append(big: CRC32.of(bytes, in: start + 4..<bytes.count))
  }
}

extension [UInt8] {
  mutating func append(big value: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
