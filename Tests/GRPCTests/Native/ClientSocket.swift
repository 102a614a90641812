import Glibc

/// A client's plain TCP connection, which waits for what it reads.
@safe final class ClientSocket {
  private let descriptor: Int32

  struct Refused: Error {}

  /// - Parameter receiveBuffer: how much the system may keep for a client that does not read.
  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Refused()
    }
  }

  deinit {
    close(descriptor)
  }

  /// Sends all of the bytes; false when the other side has closed the connection, or takes nothing for ten seconds.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var place = 0
    while place < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor, buffer.baseAddress.map { unsafe $0 + place }, buffer.count - place, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      place += count
    }
    return true
  }

  /// Sends as much as is taken without waiting; returns how much that was.
  func sendAtOnce(_ bytes: [UInt8]) -> Int {
    max(
      0,
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      })
  }

  /// The next bytes; empty when the connection is over, or nothing comes for ten seconds.
  func receive(upTo limit: Int = 64 << 10) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, unsafe recv(descriptor, buffer.baseAddress, limit, 0))
    }
  }
}
