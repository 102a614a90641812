import CHTTP2

/// Reads compressed headers, as a client does.
@safe final class FieldInflater {
  private let inflater: OpaquePointer

  init() {
    var made: OpaquePointer?
    guard unsafe nghttp2_hd_inflate_new(&made) == 0, let made = unsafe made else { preconditionFailure() }
    unsafe inflater = made
  }

  deinit {
    unsafe nghttp2_hd_inflate_del(inflater)
  }

  func fields(of block: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    unsafe block.withUnsafeBufferPointer { buffer in
      var place = buffer.baseAddress
      var left = buffer.count
      while true {
        var field = unsafe nghttp2_nv()
        var flags: Int32 = 0
        let count = unsafe nghttp2_hd_inflate_hd2(inflater, &field, &flags, place, left, 1)
        guard count >= 0 else { return }
        unsafe place = place.map { unsafe $0 + count }
        left -= count
        if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
          let name = unsafe String(
            decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
          let value = unsafe UnsafeBufferPointer(start: field.value, count: field.valuelen)
          fields[name] = unsafe String(decoding: value, as: UTF8.self)
        }
        if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
      }
      unsafe nghttp2_hd_inflate_end_headers(inflater)
    }
    return fields
  }
}
