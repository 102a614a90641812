internal import CHTTP2

extension HeaderList {
  /// Calls `body` with the fields in libnghttp2's form.
  func withFields(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Void) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: ends.count) { fields in
        // Mutable only by type: libnghttp2 reads and copies the bytes.
        let base = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
        var start = 0
        for (place, end) in ends.enumerated() {
          unsafe fields.initializeElement(
            at: place,
            to: nghttp2_nv(
              name: base.map { unsafe $0 + start }, value: base.map { unsafe $0 + end.name }, namelen: end.name - start,
              valuelen: end.value - end.name, flags: 0))
          start = end.value
        }
        unsafe body(UnsafePointer(fields.baseAddress), ends.count)
      }
    }
  }
}
