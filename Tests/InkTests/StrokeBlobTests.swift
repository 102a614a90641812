import Base
import Ink
import InkSamples
import Testing

@Suite struct StrokeBlobTests {
  @Test("every signature reads back as it was stored")
  func roundTrip() throws {
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let ink = try generator.ink()
      let blob = StrokeBlob(ink)
      #expect(try StrokeBlob.read(blob.bytes) == ink, "seed \(seed)")
      #expect(blob.hash == Digest(of: blob.bytes))
    }
  }

  @Test("validating twice changes nothing")
  func grid() throws {
    for seed in 0..<50 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let ink = try generator.ink()
      #expect(try Ink(validating: ink.strokes, canvas: ink.canvas, device: ink.device) == ink)
    }
  }

  @Test("the reference signature takes a tenth of its JSON")
  func size() {
    #expect(StrokeBlob(SampleSignature.reference.ink).bytes.count < 2500)
  }

  @Test("the stored form of a signature never changes")
  func golden() {
    #expect(
      StrokeBlob(SampleSignature.reference.ink).hash.hex
        == "8eb5cbe7e5ec1fa9c4feac144ba61913ba8dffce0bef36d8712cb5a399a8dbea")
  }

  @Test("truncated, changed or random bytes are refused and never crash")
  func damage() throws {
    let bytes = StrokeBlob(SampleSignature.all[18].ink).bytes
    for count in 0..<bytes.count { #expect(throws: InkError.self) { try StrokeBlob.read(Array(bytes[..<count])) } }
    #expect(throws: InkError.self) { try StrokeBlob.read(bytes + [0]) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      // Changed bytes may be another valid signature; then it must be written as exactly these bytes.
      if let ink = try? StrokeBlob.read(changed) { #expect(StrokeBlob(ink).bytes == changed) }
    }
  }

  @Test("a false count of a million points allocates nothing")
  func claims() throws {
    let start = Array("INK\u{1}".utf8) + [0, 0, 0, 0, 1, 0]
    let error = try #require(throws: InkError.self) { try StrokeBlob.read(start + [0xC0, 0x84, 0x3D]) }
    #expect(error.description.contains("1000000 points"))
  }
}
