package import Ink
internal import PDF
internal import Pictures
internal import ServicePolicy

/// Decodes an uploaded image of a signature as a whole. Its bounds are checked before anything is decoded.
package enum UploadedImage {
  package static let mostBytes = 4 << 20
  private static let mostPixels = 20_000_000

  package static func shapes(of file: [UInt8]) throws -> Shapes {
    try Shapes(tracing: try bitmap(file))
  }

  private static func bitmap(_ file: [UInt8]) throws -> Bitmap {
    if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      do throws(BitmapFault) {
        return upright(try JPEG.decode(file, limit: mostPixels), JPEGOrientation(of: file))
      } catch {
        throw refusal("\(error)")
      }
    }
    if file.starts(with: Array("RIFF".utf8)), file.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      do throws(BitmapFault) {
        return try WebP.decode(file, limit: mostPixels)
      } catch {
        throw refusal("\(error)")
      }
    }
    if isHEIF(file) { throw refusal("is HEIC or AVIF, which is not read: have the phone save or send it as JPEG") }
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

  /// Whether it is a picture of the kind that telephones keep: a box of type `ftyp`, with one of these brands.
  private static func isHEIF(_ file: [UInt8]) -> Bool {
    guard file.count >= 12, file[4..<8].elementsEqual("ftyp".utf8) else { return false }
    return ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif"].contains {
      file[8..<12].elementsEqual($0.utf8)
    }
  }

  /// Turns a photograph upright, however the camera was held.
  private static func upright(_ bitmap: Bitmap, _ orientation: JPEGOrientation) -> Bitmap {
    guard orientation != .upright else { return bitmap }
    let (width, height) =
      orientation.isTurned ? (bitmap.height, bitmap.width) : (bitmap.width, bitmap.height)
    var rgba: [UInt8] = []
    rgba.reserveCapacity(bitmap.rgba.count)
    for y in 0..<height {
      for x in 0..<width {
        let source = orientation.source(x: x, y: y, width: bitmap.width, height: bitmap.height)
        let place = (source.y * bitmap.width + source.x) * 4
        rgba += bitmap.rgba[place..<(place + 4)]
      }
    }
    return Bitmap(width: width, height: height, rgba: rgba)
  }

  private static func refusal(_ finding: String) -> Refusal {
    FieldChecks.refusal("content", finding, "an image is a whole PNG, JPEG or WebP of a signature", rule: "bad_image")
  }
}
