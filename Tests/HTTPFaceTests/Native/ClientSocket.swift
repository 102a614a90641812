import Glibc

/// A client's plain TCP connection, which waits for what it reads.
@safe final class ClientSocket {
  private let descriptor: Int32

  struct Refused: Error {}

  /// - Parameters:
  ///   - host: the last number of the client's own address, 127.0.0.x.
  ///   - receiveBuffer: how much the system may keep for a client that does not read.
  init(port: UInt16, host: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    // Port 0 is any. Where one fails, the deinitialiser closes the socket.
    guard unsafe use(host, 0, by: bind), unsafe use(1, port, by: connect) else { throw Refused() }
  }

  /// Calls what takes an address of this machine; false when that fails.
  private func use(
    _ host: UInt8, _ port: UInt16, by call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
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

  /// Closes the sending half: nothing more is sent, and answers can still be read.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// All bytes until the other side closes.
  func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = receive()
      if bytes.isEmpty { return all }
      all += bytes
    }
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
