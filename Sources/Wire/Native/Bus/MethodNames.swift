internal import Glibc
internal import Synchronization

/// Method names as they come in, each made into a Swift string only once: the same few come a hundred thousand times a
/// second.
enum MethodNames {
  /// More than any installation has methods. What comes beyond that is not worth keeping.
  private static let limit = 4096

  /// Names by the hash of their bytes.
  private static let known = Mutex<[UInt64: String]>([:])

  static func name(_ text: UnsafeMutablePointer<CChar>) -> String {
    let length = unsafe strlen(text)
    let bytes = unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: length)
    let hash = unsafe hash(bytes)
    let found = known.withLock { $0[hash] }
    if let found, unsafe found.utf8.elementsEqual(bytes) { return found }
    let name = unsafe String(decoding: bytes, as: UTF8.self)
    known.withLock { if $0.count < limit { $0[hash] = name } }
    return name
  }

  /// FNV-1a.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<bytes.count { unsafe hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash
  }
}
