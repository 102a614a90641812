internal import ConsentContract
internal import ConsentDomain
internal import PDF

/// A scan that is a picture which a page can show.
enum ScanPicture {
  /// nil for a PDF file, and for a picture that no page can show: it is attached then.
  static func asset(_ scan: [UInt8]) -> ConsentAsset? {
    switch PaperRules.mediaType(of: scan) {
    case "image/png" where PDFImage(png: scan) != nil: AssetRules.named(.png, scan)
    case "image/jpeg" where PDFImage(jpeg: scan) != nil: AssetRules.named(.jpeg, scan)
    default: nil
    }
  }
}
