import Base
import ConsentContract
import ConsentDomain
import Pictures
import ServicePolicy
import TestSupport
import Testing

/// Images and animations of documents: read whole before they are stored.
@Suite struct AssetTests {
  private static let bitmap = Bitmap(
    width: 24, height: 16, rgba: (0..<24 * 16).flatMap { [UInt8($0 % 24 * 10), 128, 90, 255] })

  private func accept(_ kind: AssetKind, _ data: [UInt8]) throws -> (asset: ConsentAsset, removed: [SanitizerRemoval]) {
    var budget = MarkupBudget()
    return try AssetRules.accepted(kind: kind, data: data, "data", &budget)
  }

  private func rule(_ kind: AssetKind, _ data: [UInt8], _ words: String) {
    let refusal = #expect(throws: Refusal.self) { try accept(kind, data) }
    #expect(
      refusal?.rule == "broken_asset" && refusal?.message.contains(words) == true,
      "\(words): \(String(describing: refusal))")
  }

  @Test("whole images and films are taken as they are")
  func whole() throws {
    let jpeg = try #require(JPEG.encode(Self.bitmap, quality: 80))
    let webP = try #require(WebP.encode(Self.bitmap))
    for (kind, data) in [
      (AssetKind.png, EvidenceWorld.image), (.jpeg, jpeg), (.webp, webP), (.mp4, Film().bytes),
    ] {
      #expect(try accept(kind, data).asset.data == data, "\(kind)")
    }
  }

  @Test("PNG magic before garbage, a bomb, a broken checksum, a tail and an interlaced file are refused")
  func png() {
    let sound = EvidenceWorld.image
    rule(.png, Array(sound.prefix(8)) + Array("garbage".utf8), "does not end as a PNG does")
    rule(.png, sound + [1], "does not end as a PNG does")
    var bomb = sound
    bomb.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
    rule(.png, bomb, "60000 × 60000")
    var flipped = sound
    flipped[44] ^= 1
    rule(.png, flipped, "it is broken")
    var interlaced = sound
    interlaced[28] = 1
    rule(.png, interlaced, "interlaced")
  }

  @Test("a JPEG or WebP that is cut off or claims too much is refused")
  func cutOff() throws {
    let jpeg = try #require(JPEG.encode(Self.bitmap, quality: 80))
    rule(.jpeg, Array(jpeg.prefix(jpeg.count - 20)), "cannot be read")
    var bomb = jpeg
    let frame = try #require(jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    bomb.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
    rule(.jpeg, bomb, "60000 × 60000")
    let webP = try #require(WebP.encode(Self.bitmap))
    rule(.webp, Array(webP.prefix(webP.count - 8)), "cannot be read")
  }

  @Test("an MP4 without a film, without H.264 or without its frames is refused")
  func films() {
    rule(.mp4, Film.box("ftyp", Array("isom0000".utf8)), "has no track")
    var film = Film()
    film.frames = []
    rule(.mp4, film.bytes, "has no frame")
    film.frames = [400, 700]
    film.media = 1000
    rule(.mp4, film.bytes, "lacks frames: 1100 bytes")
    film = Film()
    film.uniform = (0xFFFF_FFFF, 0xFFFF_FFFF)
    rule(.mp4, film.bytes, "lacks frames")
    film = Film()
    film.codec = "mp4a"
    rule(.mp4, film.bytes, "no H.264")
    rule(.mp4, Array(Film().bytes.dropLast()), "boxes do not fill it")
  }

  @Test("a drawing becomes one well-formed XML element, which a strict reader takes")
  func drawings() async throws {
    let folder = try TemporaryFolder()
    for (number, svg) in [
      "hello <svg width=9 height=9 viewBox='0 0 9 9'><path d=M0,0L9,9 fill=red></svg> tail<svg><path d='M1 1'/></svg>",
      "<?xml version=\"1.0\"?><svg xmlns=\"urn:other\" xmlns:x=\"urn:x\" x:y=\"1\" viewBox=\"0 0 9 9\"><g><text>a&nbsp;b & c"
        + "\u{1}\u{B}\u{FFFE}</text></g></svg>",
      "<svg viewBox='0 0 9 9' aria-label='a > b xmlns=\"c\" <d'><svg viewBox='0 0 9 9'><rect width=5 height=5 /></svg></svg>",
    ].enumerated() {
      let (asset, removed) = try accept(.svg, Array(svg.utf8))
      let xml = String(decoding: asset.data, as: UTF8.self)
      #expect(xml.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\"") && xml.hasSuffix("</svg>"))
      let (file, picture) = (folder.file("\(number).svg"), folder.file("\(number).png"))
      try Files.write(asset.data, to: file)
      let (exit, lines) = try await ChildProcess.output(of: ChildCommand("rsvg-convert", ["-o", picture, file]))
      #expect(exit.isSuccess, "\(xml): \(lines)")
      #expect(try accept(.svg, asset.data).asset == asset, "cleaning again changes nothing")
      if number == 0 { #expect(removed.contains { $0.what == "markup around it" }) }
    }
    rule(.svg, Array("text and <!-- <svg> -->".utf8), "no <svg> element")
  }
}

/// An MP4 of a track with frames, made of the boxes that are read.
private struct Film {
  var codec = "avc1"
  var frames = [400, 500]
  var media = 1000
  /// The size of every frame and their number, in place of a list.
  var uniform: (each: Int, count: Int)?

  var bytes: [UInt8] {
    let list = uniform.map { Self.number($0.each) + Self.number($0.count) }
    let sizes =
      Self.number(0) + (list ?? Self.number(0) + Self.number(frames.count) + frames.flatMap(Self.number))
    let entry = Self.number(0) + Self.number(1) + Self.box(codec, [UInt8](repeating: 0, count: 70))
    let table = Self.box("stbl", Self.box("stsd", entry) + Self.box("stsz", sizes))
    let track = Self.box("trak", Self.box("mdia", Self.box("minf", table)))
    return Self.box("ftyp", Array("isom0000".utf8)) + Self.box("moov", track)
      + Self.box("mdat", [UInt8](repeating: 7, count: media))
  }

  static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8) + Array(kind.utf8) + body }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
