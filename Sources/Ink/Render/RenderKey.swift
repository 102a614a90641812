public import Base
internal import Pictures

extension Renderer {
  /// The version of all code between a look's geometry and a file's bytes. It has to be raised with every change to a
  /// byte of any picture; golden hashes in the tests reveal such a change.
  static let encoderVersion = 3

  /// The compressor of the rows: another version may give other bytes.
  public static let compressor = "libdeflate \(Deflater.libraryVersion)"

  /// Identifies a picture before it is drawn: equal if and only if strokes and options are equal. It is used as the
  /// cache's key and as the ETag.
  ///
  /// - Parameter strokes: the hash of the ink's blob.
  public static func key(strokes: Digest, _ options: RenderOptions) -> Digest {
    var builder = DigestBuilder()
    builder.update("assent picture \(encoderVersion) \(compressor)")
    builder.update(strokes.bytes)
    builder.update("\(options.look.rawValue) \(options.format.name) \(options.frame.name) \(options.size.name)")
    builder.update(" \(options.rotation.rawValue) \(exact(options.penWidth)) \(options.ink.hex)")
    builder.update(" \(options.paper?.hex ?? "-") \(exact(options.dotsPerInch))")
    return builder.finish()
  }
}

/// A number by its bits, so that two different numbers never have the same text.
private func exact(_ value: Double?) -> String {
  value.map { String($0.bitPattern, radix: 16) } ?? "-"
}

extension PictureFormat {
  fileprivate var name: String {
    switch self {
    case .png(let depth): "png\(depth.rawValue)"
    case .svg: "svg"
    case .pdf: "pdf"
    case .jpeg(let quality): "jpeg\(quality) \(JPEG.version)"
    case .webp: "webp \(WebP.version)"
    }
  }
}

extension Frame {
  fileprivate var name: String {
    switch self {
    case .canvas: "canvas"
    case .trimmed(let margin): "trimmed:\(exact(margin))"
    }
  }
}

extension PictureSize {
  fileprivate var name: String {
    switch self {
    case .scale(let factor): "scale:\(exact(factor))"
    case .pixels(let width, let height): "pixels:\(width)x\(height)"
    }
  }
}
