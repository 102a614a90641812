internal import CSodium

/// Compares secrets in a time that does not depend on where they differ.
func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe sodium_memcmp(left, right, left.count) == 0
}
