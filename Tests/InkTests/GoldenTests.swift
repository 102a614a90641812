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
    #expect(hash == "20d18963057d975d5231ae2f3edff1f4702472708aee4e205d8ca3141e92835f")
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
    #expect(hash == "44d839e7b91a71dce8b29f0e830177391ab571023f0abb8c43765dbd13263515")
  }

  @Test(
    "SVG of both looks",
    arguments: [
      (Look.pad1, "2163d79152073492c3fda793ed22ad2c0093f1138419dba579d5d15adbdb6aa1"),
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
    #expect(png == "b2dec9a3cd04e898b45455cb2e3020566d026014f60e3ce7eeb0040b55a786dc")
    let pdf = try digest { ink in try renderer.render(ink, options { $0.format = .pdf }).bytes }
    #expect(pdf == "66d72dacec9bb73037c884af72d1e0b1725df967994671a9ee9776f1cb9808cf")
  }
}
