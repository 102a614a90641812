import Base
import Ink
import InkSamples
import Testing

/// Pictures by their hashes: the same bytes in debug and release, on every machine, today and after every change.
///
/// A hash that differs means that pictures differ from those already shown to people: then a look needs a new version,
/// or an encoder a new `Renderer.encoderVersion`.
@Suite struct GoldenTests {
  private func digest(_ render: (Ink) throws -> [UInt8]) rethrows -> String {
    var builder = DigestBuilder()
    for signature in [SampleSignature.reference] + SampleSignature.all.suffix(6) {
      builder.update(try render(signature.ink))
    }
    return builder.finish().hex
  }

  private func pixels(_ change: (inout RenderOptions) -> Void) throws -> String {
    try digest { try DecodedPNG(renderer.render($0, options(change)).bytes).rows }
  }

  @Test("pixels of pad-1")
  func pad() throws {
    let hash = try pixels { $0.format = .png(.eight) }
    #expect(hash == "1784c7598e26ab71d500994b08d7e4caf2354069523a78f858e423e9e8382699")
  }

  @Test("pixels of ink-1")
  func modelled() throws {
    let hash = try pixels {
      $0.look = .ink1
      $0.format = .png(.eight)
    }
    #expect(hash == "56b679f79243698a60ee0227ee13e47280fa36fbe084011208cbed6d857c1515")
  }

  @Test("pixels, scaled, turned and trimmed")
  func placed() throws {
    let hash = try pixels {
      $0.frame = .trimmed(margin: 3)
      $0.size = .scale(1.37)
      $0.rotation = .left
    }
    #expect(hash == "2b98d1431b9e6a3e84138261d24ef05fac28c6f2f54430c53d69b8d0ad587907")
  }

  @Test(
    "SVG of both looks",
    arguments: [
      (Look.pad1, "fcfc670ae3e685f1504832977a292336964fb24d42701124163befac03d2097d"),
      (.ink1, "da477f29bc5b070c3c6ec68e5f8dfb90f6e6d2f00d3e3e87b34aba9d5904fa48"),
    ])
  func svg(look: Look, hash: String) throws {
    let found = try digest { ink in
      try renderer.render(
        ink,
        options {
          $0.look = look
          $0.format = .svg
        }
      ).bytes
    }
    #expect(found == hash)
  }

  @Test(
    "many pictures at once; scripts/bench ink holds the release build to the same",
    .enabled(if: GoldenPictures.isComparable))
  func everything() throws {
    let digest = try GoldenPictures.digest()
    #expect(digest == GoldenPictures.expected)
  }

  @Test(
    "files, byte for byte, where libdeflate is the version they were made with",
    .enabled(if: GoldenPictures.isComparable))
  func files() throws {
    let png = try digest { try renderer.render($0).bytes }
    #expect(png == "ddadcab0404949b1483d9c0795e6b7734e2464db965d72c1f8148bbb22210504")
    let pdf = try digest { ink in try renderer.render(ink, options { $0.format = .pdf }).bytes }
    #expect(pdf == "c11bc0b8eb9867ab3ae14f82e0ef78c6cdca80150dd359262a6f4fcb5fac5253")
  }
}
