package import Glibc

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
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
        unsafe getpeername(descriptor, peer, &length) == 0 ? NetworkAddress(peer) : nil
      }
    }
    guard let result else { return nil }
    self = result
  }

  /// The address of a socket; nil for a socket of another family.
  package init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      let bytes = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr
      self.init(bytes: unsafe withUnsafeBytes(of: bytes) { unsafe Array($0) })
    case AF_INET6:
      let bytes = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self.init(bytes: unsafe withUnsafeBytes(of: bytes) { unsafe Array($0) })
    default: return nil
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
