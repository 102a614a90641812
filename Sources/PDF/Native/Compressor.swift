internal import CDeflate

/// zlib streams by libdeflate: the same input gives the same bytes on every machine with the same version.
@safe final class Compressor {
  private let handle: OpaquePointer

  init() {
    guard let handle = unsafe libdeflate_alloc_compressor(6) else { preconditionFailure("no memory for a compressor") }
    unsafe self.handle = handle
  }

  deinit {
    unsafe libdeflate_free_compressor(handle)
  }

  func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let bound = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        count = unsafe libdeflate_zlib_compress(handle, input.baseAddress, input.count, room.baseAddress, bound)
      }
      precondition(count > 0 || bytes.isEmpty, "the bound holds any compressed form")
    }
  }
}

/// The checksum that ends every chunk of a PNG, and that a ZIP archive has of each file.
package enum Checksum {
  package static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }
}

/// Undoes FlateDecode, with a bound on the output.
enum Decompressor {
  /// The decompressed bytes; nil when the input is not a zlib stream or has more than `limit` bytes.
  static func zlib(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(handle) }
    var size = min(max(bytes.count * 4, 1024), limit)
    while true {
      var produced = 0
      var used = 0
      var result = LIBDEFLATE_BAD_DATA
      let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
        unsafe bytes.withUnsafeBufferPointer { input in
          result = unsafe libdeflate_zlib_decompress_ex(
            handle, input.baseAddress, input.count, room.baseAddress, size, &used, &produced)
        }
        count = result == LIBDEFLATE_SUCCESS ? produced : 0
      }
      if result == LIBDEFLATE_SUCCESS { return output }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE, size < limit else { return nil }
      size = min(size * 4, limit)
    }
  }
}
