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
    #expect(hash == "4a79a27da1f53e87f1d1d8b1a67ded497f23f89ce88bb148b7bca2e07e47fa6f")
  }

  @Test("pixels of ink-1")
  func modelled() throws {
    let hash = try pixels {
      $0.look = .ink1
      $0.format = .png(.eight)
    }
    #expect(hash == "57c7a98019b36f174adbd42dac20c3c99dd939f9f5cb2f32f37da86af5f3c686")
  }

  @Test("pixels, scaled, turned and trimmed")
  func placed() throws {
    let hash = try pixels {
      $0.frame = .trimmed(margin: 3)
      $0.size = .scale(1.37)
      $0.rotation = .left
    }
    #expect(hash == "287a77fddcff626a649c9ad5ea52ab6375288bd66e45660b1ee705d5167eaa1c")
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
    #expect(png == "363a666c1a01386c818e8bbd5d587cf7495e4bdf34c46c7de510d4d0ced89b86")
    let pdf = try digest { ink in try renderer.render(ink, options { $0.format = .pdf }).bytes }
    #expect(pdf == "99d3dffe7d35f85b16c74da37746e91fc0f321a4c9203efa8748c8dbfb15db4f")
  }
}
