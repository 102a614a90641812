internal import Glibc

extension NetworkAddress {
  /// nil unless `text` is an address of either version in its usual notation.
  public init?(text: String) {
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: unsafe withUnsafeBytes(of: four) { unsafe Array($0) })
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      self.init(bytes: unsafe withUnsafeBytes(of: six) { unsafe Array($0) })
    } else {
      return nil
    }
  }

  /// The address in its usual notation.
  public var text: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress,
        unsafe inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, start, 64) != nil
      else { return "" }
      return unsafe String(cString: start)
    }
  }
}
