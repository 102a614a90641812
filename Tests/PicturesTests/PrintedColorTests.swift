import Pictures
import Testing

/// JPEG files in the four colours of print, with and without the mark by which Adobe's programs say that inks are
/// stored the other way round.
@Suite struct PrintedColorTests {
  /// Cyan, magenta, yellow and black, 255 for all of an ink, and what a screen shows of them.
  private static let patches: [(inks: [UInt8], shown: [UInt8])] = [
    ([0, 0, 0, 0], [255, 255, 255]), ([0, 0, 0, 255], [0, 0, 0]), ([255, 0, 0, 0], [0, 255, 255]),
    ([0, 255, 0, 0], [255, 0, 255]), ([0, 0, 255, 0], [255, 255, 0]), ([255, 255, 0, 128], [0, 0, 127]),
    ([0, 0, 0, 204], [51, 51, 51]),
  ]

  @Test("inks become what a screen shows, however they are stored", arguments: [true, false])
  func colours(isAdobe: Bool) throws {
    let stored = Self.patches.map { $0.inks.map { isAdobe ? 255 - $0 : $0 } }
    let file = PatchedJPEG(stored, isAdobe: isAdobe).bytes
    let picture = try JPEG.decode(file, limit: 1000)
    #expect(picture.width == 8 * stored.count && picture.height == 8)
    for (place, patch) in Self.patches.enumerated() {
      let middle = (4 * picture.width + 8 * place + 4) * 4
      let shown = picture.rgba[middle..<(middle + 4)]
      #expect(
        zip(shown, patch.shown + [255]).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(patch.inks): \(Array(shown))")
    }
  }

  @Test("a file that is cut off anywhere is refused")
  func cutOff() {
    let file = PatchedJPEG(Self.patches.map(\.inks), isAdobe: true).bytes
    for count in 3..<(file.count - 2) {
      #expect(throws: BitmapFault.self) { try JPEG.decode(Array(file.prefix(count)), limit: 1000) }
    }
  }
}

/// A JPEG of four components: a row of patches of 8 × 8 pixels, each of one colour, so that no block has more than its
/// mean.
private struct PatchedJPEG {
  private(set) var bytes: [UInt8] = [0xFF, 0xD8]
  private var bits: [Bool] = []

  init(_ patches: [[UInt8]], isAdobe: Bool) {
    if isAdobe { segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
    // The mean of a block is stored as eight times its difference from the middle, here divided by eight.
    segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    let width = patches.count * 8
    segment(0xC0, [8, 0, 8, UInt8(width >> 8), UInt8(width & 255), 4] + (1...4).flatMap { [$0, 0x11, 0] as [UInt8] })
    // Differences have 0 to 8 bits, and their numbers of bits are codes of four; no block has anything else.
    segment(0xC4, [0x00, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + (0...8))
    segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    segment(0xDA, [4] + (1...4).flatMap { [$0, 0] as [UInt8] } + [0, 63, 0])
    var last = [0, 0, 0, 0]
    for patch in patches {
      for (component, value) in patch.enumerated() {
        let mean = Int(value) - 128
        add(mean - last[component])
        last[component] = mean
      }
    }
    while !bits.count.isMultiple(of: 8) { bits.append(true) }
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt8
      bytes += byte == 0xFF ? [byte, 0] : [byte]
    }
    bytes += [0xFF, 0xD9]
  }

  private mutating func segment(_ marker: UInt8, _ body: [UInt8]) {
    bytes += [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  /// A block's difference from the one before, and that there is no more of it.
  private mutating func add(_ difference: Int) {
    let size = Int.bitWidth - abs(difference).leadingZeroBitCount
    add(size, bits: 4)
    add(difference < 0 ? difference + (1 << size) - 1 : difference, bits: size)
    bits.append(false)
  }

  private mutating func add(_ value: Int, bits count: Int) {
    for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
  }
}
