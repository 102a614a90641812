internal import CSystem
internal import Glibc

/// A socket to which clients connect.
@safe package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  /// With the port that the system chose, if port 0 was wanted.
  package let endpoint: Endpoint

  private static let backlog: Int32 = 1024

  /// - Parameter isShared: whether other processes of this user may listen at the same address. The system then spreads
  ///   new connections over all of them.
  package init(_ wanted: Endpoint, isShared: Bool = false) throws(SocketError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    unsafe hints.ai_socktype = Int32(bitPattern: SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    // Host names are not resolved: where a program listens should not depend on DNS.
    let host = wanted.host == "localhost" ? "127.0.0.1" : wanted.host
    guard unsafe getaddrinfo(host, String(wanted.port), &hints, &found) == 0, let address = unsafe found?.pointee else {
      throw SocketError(description: "'\(wanted.host)' is not a numeric address")
    }
    defer { unsafe freeaddrinfo(found) }
    let socket = unsafe socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard socket >= 0 else { throw SocketError("open a socket") }
    descriptor = socket
    _ = csystem_set_nonblocking(socket)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    SocketOption.set(SO_REUSEADDR, at: SOL_SOCKET, of: socket)
    if isShared { SocketOption.set(SO_REUSEPORT, at: SOL_SOCKET, of: socket) }
    guard unsafe bind(socket, address.ai_addr, address.ai_addrlen) == 0, listen(socket, Self.backlog) == 0 else {
      let error = SocketError("listen on \(wanted.settingText)")
      close(socket)
      throw error
    }
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = unsafe withUnsafeMutablePointer(to: &bound) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &length) }
    }
    endpoint = Endpoint(host: wanted.host, port: SocketAddress(bound).port)
  }

  deinit {
    close(descriptor)
  }

  /// The next connection that a client has opened, with the client's address; nil when there is none.
  package func accept() -> (descriptor: Int32, address: SocketAddress)? {
    var address = sockaddr_storage()
    let descriptor = unsafe csystem_accept(descriptor, &address)
    guard descriptor >= 0 else { return nil }
    // Without Nagle's delay, since answers are collected before they are sent.
    SocketOption.set(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: descriptor)
    return (descriptor, SocketAddress(address))
  }
}

private enum SocketOption {
  static func set(_ option: Int32, at level: Int32, of socket: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(socket, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}

/// The address of a client.
package struct SocketAddress {
  package let host: String
  package let port: UInt16

  init(_ storage: sockaddr_storage) {
    var storage = storage
    var host: [CChar] = Array(repeating: 0, count: Int(NI_MAXHOST))
    var port: [CChar] = Array(repeating: 0, count: 16)
    let length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = unsafe withUnsafePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getnameinfo(
          $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    self.host = Self.text(host)
    self.port = UInt16(Self.text(port)) ?? 0
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
