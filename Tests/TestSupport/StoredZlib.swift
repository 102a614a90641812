/// Bytes as zlib writes them without compressing, so that a test decides about each byte in a file.
package enum StoredZlib {
  private static let mostInBlock = 65_535

  package static func stream(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count <= mostInBlock, "they fit into one block")
    let length = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)]
    return [0x78, 0x01, 1] + length + length.map { ~$0 } + bytes + checksum(bytes)
  }

  /// Adler-32.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var (one, other) = (1, 0)
    for byte in bytes {
      one = (one + Int(byte)) % 65_521
      other = (other + one) % 65_521
    }
    return [UInt8(other >> 8), UInt8(other & 255), UInt8(one >> 8), UInt8(one & 255)]
  }
}
