extension String {
  /// The text of ASCII bytes, with its letters in lower case.
  init(lowercasing bytes: ArraySlice<UInt8>) {
    self = unsafe String(unsafeUninitializedCapacity: bytes.count) { room in
      var count = 0
      for byte in bytes {
        unsafe room[count] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        count += 1
      }
      return count
    }
  }
}
