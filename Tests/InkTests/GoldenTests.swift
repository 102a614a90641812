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
    #expect(hash == "45e4c09a5a28f4f8a35a98416725c109342bc5d656489c321d2d0f52846e7aef")
  }

  @Test("pixels of ink-1")
  func modelled() throws {
    let hash = try pixels {
      $0.look = .ink1
      $0.format = .png(.eight)
    }
    #expect(hash == "21210d82be0f90d5e0a7f6b23b947ecd069dcfb046c7d45a63eb33bcd11d82b2")
  }

  @Test("pixels, scaled, turned and trimmed")
  func placed() throws {
    let hash = try pixels {
      $0.frame = .trimmed(margin: 3)
      $0.size = .scale(1.37)
      $0.rotation = .left
    }
    #expect(hash == "8db61bc554b86f6f254c92c53490774373b19a6c9d45ab918a580893ec98cf74")
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
    "files, byte for byte, where libdeflate is the version they were made with", .enabled(if: deflateVersion == "1.14"))
  func files() throws {
    let png = try digest { try renderer.render($0).bytes }
    #expect(png == "2202cb570b76391c06f8a8821477a485cd5716c36cb73fed156480b11619817f")
    let pdf = try digest { ink in try renderer.render(ink, options { $0.format = .pdf }).bytes }
    #expect(pdf == "99d3dffe7d35f85b16c74da37746e91fc0f321a4c9203efa8748c8dbfb15db4f")
  }
}
