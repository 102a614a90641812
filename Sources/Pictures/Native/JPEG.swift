internal import CTurboJPEG

/// JPEG files by TurboJPEG, whose functions return errors instead of calling longjmp.
public enum JPEG {
  /// Output depends on it: another version may write other bytes.
  public static let version = "libjpeg-turbo \(LIBJPEG_TURBO_VERSION_NUMBER)"

  /// The most scans. Each scan of a progressive file goes over the whole picture, however few bytes it has; programs
  /// write about ten.
  private static let mostScans = 64
  /// The most pixels times scans: those of the largest picture that is read, ten times.
  private static let mostWork = 400_000_000

  /// The pixels of a complete file. What the library only warns about, such as a missing end, is an error here.
  ///
  /// - Parameter limit: the most pixels, checked before any memory is allocated for them.
  public static func decode(_ file: [UInt8], limit: Int) throws(BitmapFault) -> Bitmap {
    guard file.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .broken("it does not begin as a JPEG") }
    guard let handle = unsafe tjInitDecompress() else { throw .broken("there is no memory for it") }
    defer { unsafe tjDestroy(handle) }
    var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, colors: Int32 = 0
    let hasHeader = unsafe file.withUnsafeBufferPointer { input in
      unsafe tjDecompressHeader3(
        handle, input.baseAddress, UInt(input.count), &width, &height, &sampling, &colors) == 0
    }
    guard hasHeader, width > 0, height > 0 else { throw .broken("its header is not understood") }
    guard Int(width) <= limit / Int(height) else {
      throw .tooLarge(width: Int(width), height: Int(height), bound: limit)
    }
    let scans = JPEGScans.count(in: file)
    guard scans <= mostScans, Int(width) * Int(height) * scans <= mostWork else {
      throw .tooManyScans(scans, width: Int(width), height: Int(height))
    }
    let size = Int(width) * Int(height) * 4
    let isPrinted = colors == Int32(TJCS_CMYK.rawValue) || colors == Int32(TJCS_YCCK.rawValue)
    let format = isPrinted ? TJPF_CMYK : TJPF_RGBA
    var isWhole = false
    var rgba = unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
      isWhole = unsafe file.withUnsafeBufferPointer { input in
        unsafe tjDecompress2(
          handle, input.baseAddress, UInt(input.count), room.baseAddress, width, 0, height, Int32(format.rawValue),
          TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS) == 0
      }
      count = isWhole ? size : 0
    }
    guard isWhole else { throw .broken(unsafe String(cString: tjGetErrorStr2(handle))) }
    if isPrinted { PrintedColors.show(&rgba, areInverted: PrintedColors.areInverted(in: file)) }
    return Bitmap(width: Int(width), height: Int(height), rgba: rgba)
  }

  /// A file with the full detail of all colours; nil if there is no memory for it. Opacity is dropped.
  public static func encode(_ image: Bitmap, quality: Int, dotsPerInch: Double? = nil) -> [UInt8]? {
    guard let handle = unsafe tjInitCompress() else { return nil }
    defer { unsafe tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let isDone = unsafe image.rgba.withUnsafeBufferPointer { pixels in
      unsafe tjCompress2(
        handle, pixels.baseAddress, Int32(image.width), 0, Int32(image.height), Int32(TJPF_RGBA.rawValue), &output,
        &size, Int32(TJSAMP_444.rawValue), Int32(quality), TJFLAG_ACCURATEDCT) == 0
    }
    defer { unsafe tjFree(output) }
    guard isDone, let bytes = unsafe output else { return nil }
    var file = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    if let dotsPerInch { setDensity(dotsPerInch, in: &file) }
    return file
  }

  /// Writes the picture's resolution into the header that the library has written.
  private static func setDensity(_ dotsPerInch: Double, in file: inout [UInt8]) {
    guard file.count > 18, file[6..<11].elementsEqual("JFIF\0".utf8) else { return }
    let dots = UInt16(min(max(dotsPerInch.rounded(), 1), 65_535))
    let bytes = [UInt8(dots >> 8), UInt8(dots & 0xFF)]
    file.replaceSubrange(13..<18, with: [1] + bytes + bytes)
  }
}
