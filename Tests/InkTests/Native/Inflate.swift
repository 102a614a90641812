internal import CDeflate

/// Decompresses a zlib stream, for tests that look inside a file; nil when it is malformed.
func inflate(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
  guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
  defer { unsafe libdeflate_free_decompressor(handle) }
  var output = [UInt8](repeating: 0, count: count)
  let result = unsafe libdeflate_zlib_decompress(handle, bytes, bytes.count, &output, count, nil)
  return result == LIBDEFLATE_SUCCESS ? output : nil
}
