package import ConsentContract
internal import PDF
internal import Pictures

/// Reads images, animations and PDF files completely: what a participant's device cannot show is refused when it is
/// stored.
package enum AssetReading {
  /// What is wrong with a file of this kind; nil if it can be shown.
  package static func fault(in data: [UInt8], of kind: AssetKind) -> String? {
    switch kind {
    case .png: png(data)
    case .jpeg: bitmap { () throws(BitmapFault) in try JPEG.decode(data, limit: PDFImage.mostPixels) } ?? page(data)
    case .webp: bitmap { () throws(BitmapFault) in try WebP.decode(data, limit: PDFImage.mostPixels) }
    case .mp4: Animation.fault(in: data)
    case .pdf: pages(data)
    case .svg, .unspecified, .unrecognized: nil
    }
  }

  private static func png(_ data: [UInt8]) -> String? {
    // A reader stops at the end of the picture, so bytes after it would be stored and sent unseen.
    guard data.suffix(12).starts(with: [0, 0, 0, 0] + Array("IEND".utf8)) else { return "does not end as a PNG does" }
    return page(data)
  }

  /// Why pages of documents cannot show the image; nil if they can.
  private static func page(_ data: [UInt8]) -> String? {
    do throws(PictureFault) {
      _ = try PDFImage(reading: data)
      return nil
    } catch {
      return "cannot be shown: \(error)"
    }
  }

  private static func pages(_ data: [UInt8]) -> String? {
    do throws(PDFReadError) {
      _ = try PassiveFile(data, mostPages: FileBounds.mostPages) { Task.isCancelled }
      return nil
    } catch {
      return "is refused: \(error)"
    }
  }

  private static func bitmap(_ decode: () throws(BitmapFault) -> Bitmap) -> String? {
    do throws(BitmapFault) {
      _ = try decode()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
