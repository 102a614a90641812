import Base
import Pictures
import TestSupport
import Testing

/// JPEG files that go over their picture again and again.
@Suite struct ScanTests {
  /// A progressive file of 1131 × 1600 pixels, by another program.
  private func progressive() async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try Files.write(PlainPDF("Progressive").bytes, to: folder.file("in.pdf"))
    let (exit, _) = try await ChildProcess.output(
      of: ChildCommand(
        "pdftoppm",
        [
          "-jpeg", "-jpegopt", "progressive=y", "-scale-to", "1600", "-singlefile", folder.file("in.pdf"),
          folder.file("out"),
        ]))
    #expect(exit.isSuccess)
    return try Files.read(folder.file("out.jpg"))
  }

  @Test("what programs write is read, and a file with a hundred scans is refused before any is")
  func scans() async throws {
    let file = try await progressive()
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    #expect(scans.count > 5)
    #expect(try JPEG.decode(file, limit: 2_000_000).width == 1131)
    let last = try #require(scans.last)
    let again = file[last..<(file.count - 2)]
    var long = Array(file.dropLast(2))
    for _ in 0..<100 { long += again }
    long += [0xFF, 0xD9]
    #expect(throws: BitmapFault.tooManyScans(scans.count + 100, width: 1131, height: 1600)) {
      try JPEG.decode(long, limit: 2_000_000)
    }
    // Fewer, of a picture that claims to be large.
    let frame = try #require(file.indices.dropLast(9).first { file[$0] == 0xFF && file[$0 + 1] == 0xC2 })
    var large = Array(file.dropLast(2))
    large.replaceSubrange(frame + 5..<frame + 9, with: [0x17, 0x70, 0x17, 0x70])
    for _ in 0..<10 { large += again }
    large += [0xFF, 0xD9]
    #expect(throws: BitmapFault.tooManyScans(scans.count + 10, width: 6000, height: 6000)) {
      try JPEG.decode(large, limit: 40_000_000)
    }
  }
}
