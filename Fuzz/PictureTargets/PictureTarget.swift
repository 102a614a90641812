public import FuzzKit
internal import Ink
internal import PDF
internal import Pictures

/// What must hold for any bytes uploaded as a picture: they are refused, or are as many pixels as they say; and a
/// picture of a signature is refused, or becomes shapes that are stored, read again and drawn.
public enum PictureTarget: FuzzTarget {
  private static let mostPixels = 20_000
  private static let renderer = Renderer()
  private static let budget = DrawingBudget(steps: 1 << 18)

  public static func complaint(about input: [UInt8]) -> String? {
    let image = try? PDFImage(reading: input, limit: mostPixels)
    if let image, image.width * image.height > mostPixels { return "a picture of more pixels than allowed" }
    if let pixels = image?.pixels, let image, pixels.count != image.width * image.height * 3 {
      return "a picture with other pixels than it says"
    }
    guard let bitmap = (try? JPEG.decode(input, limit: mostPixels)) ?? (try? WebP.decode(input, limit: mostPixels))
    else { return nil }
    if bitmap.width * bitmap.height > mostPixels { return "a bitmap of more pixels than allowed" }
    guard let shapes = try? Shapes(tracing: bitmap) else { return nil }
    guard (try? Shapes.read(shapes.bytes)) == shapes else { return "shapes that were traced are stored differently" }
    var options = RenderOptions()
    options.size = .pixels(width: 90, height: 30)
    guard let picture = try? renderer.render(shapes.letters, options, budget) else { return nil }
    return picture.width == 90 && !picture.bytes.isEmpty ? nil : "a picture of another size"
  }

  public static func seeds() -> [[UInt8]] {
    // A dark stroke on paper.
    let paper = Bitmap(
      width: 48, height: 24,
      rgba: (0..<48 * 24).flatMap { index -> [UInt8] in
        let (x, y) = (index % 48, index / 48)
        return (abs(x - 2 * y) < 3 ? [20, 30, 90] : [250, 250, 245]) + [255]
      })
    // A sheet with a stroke, askew on a desk.
    let desk = Bitmap(
      width: 120, height: 90,
      rgba: (0..<120 * 90).flatMap { index -> [UInt8] in
        let (x, y) = (index % 120, index / 120)
        let isSheet = (15..<105).contains(x + y / 9 - 5) && (12..<76).contains(y - x / 9 + 5)
        guard isSheet else { return [60, 50, 40, 255] }
        return abs(y - 40) < 2 && abs(x - 60) < 25 ? [20, 30, 90, 255] : [240, 240, 235, 255]
      })
    return [
      JPEG.encode(paper, quality: 90), JPEG.encode(paper, quality: 30), WebP.encode(paper),
      JPEG.encode(desk, quality: 90), WebP.encode(desk),
    ].compactMap { $0 }
  }
}
