internal import CDeflate

/// libdeflate's compressor: fast, and the same bytes for the same input on every machine with the same version.
///
/// It holds some hundred kilobytes of working memory, so it is worth keeping between pictures.
@safe struct Deflater: ~Copyable {
  /// Output depends on it: another version may compress differently.
  static let libraryVersion = LIBDEFLATE_VERSION_STRING

  private let handle: OpaquePointer

  /// - Parameter level: 1 (fast) to 12 (small).
  init(level: Int32) {
    guard let handle = unsafe libdeflate_alloc_compressor(level) else {
      preconditionFailure("libdeflate has no level \(level), or no memory")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe libdeflate_free_compressor(handle)
  }

  /// `bytes` as a zlib stream, appended to `output`.
  func append(zlib bytes: [UInt8], to output: inout [UInt8]) {
    let start = output.count
    let bound = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
    output.append(contentsOf: repeatElement(0, count: bound))
    let written = unsafe output.withUnsafeMutableBufferPointer { room in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe libdeflate_zlib_compress(
          handle, input.baseAddress, input.count, room.baseAddress.map { unsafe $0 + start }, bound)
      }
    }
    precondition(written > 0, "the bound holds any compressed form")
    output.removeLast(bound - written)
  }
}

/// The checksum that ends every chunk of a PNG.
enum CRC32 {
  static func of(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe libdeflate_crc32(0, buffer.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
    }
  }
}
