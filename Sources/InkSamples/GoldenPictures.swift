internal import Base
internal import Ink

/// One digest of many pictures, on which debug and release builds on every machine have to agree byte by byte.
public enum GoldenPictures {
  /// The value of `digest()` with Debian 12's libdeflate.
  public static let expected = "2bc485b02ebcc6c56dc4c57c031e2e191fd23322f6834b7bfe5d4a9b19737231"

  /// Whether this machine has that version: another one writes other bytes for the same pixels.
  public static var isComparable: Bool { Renderer.compressor == "libdeflate 1.14" }

  public static func digest() throws -> String {
    let renderer = Renderer()
    var builder = DigestBuilder()
    for signature in [SampleSignature.reference] + SampleSignature.all.suffix(4) {
      for options in variants { builder.update(try renderer.render(signature.ink, options).bytes) }
    }
    return builder.finish().hex
  }

  private static let variants: [RenderOptions] = Look.allCases.flatMap { look in
    let formats: [PictureFormat] = [.png(.one), .png(.four), .png(.eight), .svg, .pdf]
    return formats.flatMap { format in
      var usual = RenderOptions()
      usual.look = look
      usual.format = format
      var placed = usual
      placed.frame = .trimmed(margin: 3)
      placed.size = .scale(1.37)
      placed.rotation = .left
      placed.paper = nil
      return [usual, placed]
    }
  }
}
