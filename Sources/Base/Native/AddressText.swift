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

  /// The address of a connected socket's peer; nil when that is no IP address, or the peer has gone.
  package init?(peerOf descriptor: Int32) {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(descriptor, $0, &length) }
    }
    guard result == 0 else { return nil }
    let place: Range<Int>
    switch Int32(address.ss_family) {
    // After the family and the port; in version 6 also after the flow's label.
    case AF_INET: place = 4..<8
    case AF_INET6: place = 8..<24
    default: return nil
    }
    self.init(bytes: unsafe withUnsafeBytes(of: address) { unsafe Array($0[place]) })
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
