internal import CWebP

/// WebP files by libwebp.
public enum WebP {
  /// Output depends on it: another version may write other bytes.
  public static let version = "libwebp \(WebPGetEncoderVersion())"

  /// The pixels of a complete file that is not an animation.
  ///
  /// - Parameter limit: the most pixels, checked before any memory is allocated for them.
  public static func decode(_ file: [UInt8], limit: Int) throws(BitmapFault) -> Bitmap {
    var features = WebPBitstreamFeatures()
    let status = unsafe file.withUnsafeBufferPointer { input in
      unsafe WebPGetFeatures(input.baseAddress, input.count, &features)
    }
    guard status == VP8_STATUS_OK, features.width > 0, features.height > 0 else {
      throw .broken("its header is not understood")
    }
    guard features.has_animation == 0 else { throw .broken("it is an animation") }
    let (width, height) = (Int(features.width), Int(features.height))
    guard width <= limit / height else { throw .tooLarge(width: width, height: height, bound: limit) }
    let size = width * height * 4
    var isWhole = false
    let rgba = unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
      isWhole = unsafe file.withUnsafeBufferPointer { input in
        unsafe WebPDecodeRGBAInto(input.baseAddress, input.count, room.baseAddress, size, Int32(width * 4)) != nil
      }
      count = isWhole ? size : 0
    }
    guard isWhole else { throw .broken("its pixels are not whole") }
    return Bitmap(width: width, height: height, rgba: rgba)
  }

  /// A lossless file; nil if there is no memory for it.
  public static func encode(_ image: Bitmap) -> [UInt8]? {
    var output: UnsafeMutablePointer<UInt8>?
    let size = unsafe image.rgba.withUnsafeBufferPointer { pixels in
      unsafe WebPEncodeLosslessRGBA(
        pixels.baseAddress, Int32(image.width), Int32(image.height), Int32(image.width * 4), &output)
    }
    defer { unsafe WebPFree(output) }
    guard size > 0, let bytes = unsafe output else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}
