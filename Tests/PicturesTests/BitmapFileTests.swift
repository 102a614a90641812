import Pictures
import Testing

/// JPEG and WebP, written and read whole.
@Suite struct BitmapFileTests {
  /// Paper with a dark block, and half of it see-through.
  private static let sample = Bitmap(
    width: 24, height: 16,
    rgba: (0..<24 * 16).flatMap { index -> [UInt8] in
      let isInk = (6..<18).contains(index % 24) && (4..<12).contains(index / 24)
      return (isInk ? [20, 30, 90] : [255, 255, 255]) + [index / 24 < 8 ? 255 : 128]
    })

  @Test("WebP keeps every pixel")
  func webP() throws {
    let file = try #require(WebP.encode(Self.sample))
    #expect(file.starts(with: Array("RIFF".utf8)))
    #expect(try WebP.decode(file, limit: 1000) == Self.sample)
  }

  @Test("JPEG keeps colours nearly, says its density, and is opaque")
  func jpeg() throws {
    let file = try #require(JPEG.encode(Self.sample, quality: 95, dotsPerInch: 300))
    #expect(Array(file[13..<18]) == [1, 1, 44, 1, 44])
    let read = try JPEG.decode(file, limit: 1000)
    #expect((read.width, read.height) == (24, 16))
    for (index, value) in read.rgba.enumerated() {
      let expected = index % 4 == 3 ? 255 : Self.sample.rgba[index]
      #expect(abs(Int(value) - Int(expected)) < 24, "byte \(index)")
    }
  }

  @Test("a file that is cut off anywhere is refused, and so are other bytes")
  func cutOff() throws {
    let jpeg = try #require(JPEG.encode(Self.sample, quality: 80))
    let webP = try #require(WebP.encode(Self.sample))
    for count in stride(from: 0, to: jpeg.count - 2, by: 7) {
      #expect(throws: BitmapFault.self) { try JPEG.decode(Array(jpeg.prefix(count)), limit: 1000) }
    }
    for count in stride(from: 0, to: webP.count - 2, by: 7) {
      #expect(throws: BitmapFault.self) { try WebP.decode(Array(webP.prefix(count)), limit: 1000) }
    }
    #expect(throws: BitmapFault.self) { try JPEG.decode([0xFF, 0xD8, 0xFF] + Array("garbage".utf8), limit: 1000) }
  }

  @Test("what claims more pixels than allowed is refused before any is read")
  func bombs() throws {
    var jpeg = try #require(JPEG.encode(Self.sample, quality: 80))
    let frame = try #require(jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
    #expect(throws: BitmapFault.tooLarge(width: 60_000, height: 60_000, bound: 1_000_000)) {
      try JPEG.decode(jpeg, limit: 1_000_000)
    }
    let webP = try #require(WebP.encode(Self.sample))
    #expect(throws: BitmapFault.tooLarge(width: 24, height: 16, bound: 383)) { try WebP.decode(webP, limit: 383) }
  }
}
