package import Ink
internal import PDF
internal import Pictures
internal import ServicePolicy

/// An uploaded image of a signature: decoded whole, within bounds that are looked at before anything is decoded.
package enum UploadedImage {
  package static let mostBytes = 4 << 20
  private static let mostPixels = 20_000_000

  package static func shapes(of file: [UInt8]) throws -> Shapes {
    try Shapes(tracing: try bitmap(file))
  }

  private static func bitmap(_ file: [UInt8]) throws -> Bitmap {
    if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      do throws(BitmapFault) {
        return try JPEG.decode(file, limit: mostPixels)
      } catch {
        throw refusal("\(error)")
      }
    }
    let image: PDFImage
    do throws(PictureFault) {
      image = try PDFImage(reading: file, limit: mostPixels)
    } catch {
      throw refusal("is refused: \(error)")
    }
    guard let rgb = image.pixels else { throw refusal("is refused: it is neither PNG nor JPEG") }
    var rgba: [UInt8] = []
    rgba.reserveCapacity(image.width * image.height * 4)
    for place in stride(from: 0, to: rgb.count, by: 3) {
      rgba.append(rgb[place])
      rgba.append(rgb[place + 1])
      rgba.append(rgb[place + 2])
      rgba.append(255)
    }
    return Bitmap(width: image.width, height: image.height, rgba: rgba)
  }

  private static func refusal(_ finding: String) -> Refusal {
    FieldChecks.refusal("content", finding, "an image is a whole PNG or JPEG of a signature", rule: "bad_image")
  }
}
