internal import COpenSSL

/// A server's certificate and key, for connections that speak HTTP/2 over TLS.
@safe package final class TLSServer: @unchecked Sendable {
  // `@unchecked` because nothing changes it once it is made, and OpenSSL counts references to it atomically.
  fileprivate let context: OpaquePointer

  package struct Unusable: Error, CustomStringConvertible {
    package let description =
      "the certificate and its key cannot be used: they must be PEM, not encrypted, and belong together"
  }

  /// - Parameters:
  ///   - certificate: the chain as PEM, the server's own certificate first.
  ///   - key: its private key as PEM.
  package init(certificate: [UInt8], key: [UInt8]) throws(Unusable) {
    guard let context = unsafe copenssl_server() else { throw Unusable() }
    let isUsable = unsafe certificate.withUnsafeBytes { certificate in
      unsafe key.withUnsafeBytes { key in
        unsafe copenssl_use(
          context, certificate.baseAddress, Int32(certificate.count), key.baseAddress, Int32(key.count)) == 1
      }
    }
    unsafe self.context = context
    if !isUsable { throw Unusable() }
  }

  deinit {
    unsafe SSL_CTX_free(context)
  }
}

/// The encryption of one connection as a state machine, without a socket: it turns encrypted bytes into plain ones and
/// back.
@safe package final class TLSSession {
  private let session: OpaquePointer
  /// Plain bytes that are encrypted once the handshake is over.
  private var early: [UInt8] = []
  package private(set) var isOver = false
  /// Whether the handshake is unfinished.
  package var isShakingHands: Bool { unsafe !isOver && SSL_is_init_finished(session) == 0 }

  private static let step = 16 << 10
  /// How many bytes of OpenSSL's own may wait to be sent. A handshake needs a few kilobytes, but a peer can demand an
  /// answer with each of its records.
  private static let mostWaiting = 128 << 10

  package init?(_ server: TLSServer) {
    guard let session = unsafe copenssl_accept(server.context) else { return nil }
    unsafe self.session = session
  }

  deinit {
    unsafe SSL_free(session)
  }

  /// Takes encrypted bytes from the peer, and appends the decrypted ones to `plain`.
  package func receive(_ bytes: Span<UInt8>, into plain: inout [UInt8]) {
    guard !isOver else { return }
    _ = unsafe bytes.withUnsafeBufferPointer { unsafe copenssl_put(session, $0.baseAddress, Int32($0.count)) }
    var count: Int32 = 1
    while count > 0 {
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.step) { room in
        unsafe count = copenssl_read(session, room.baseAddress, Int32(Self.step))
        if count > 0 { unsafe plain.append(contentsOf: room.prefix(Int(count))) }
      }
    }
    if unsafe count < 0 || copenssl_waiting(session) > Self.mostWaiting { isOver = true }
    if !early.isEmpty {
      let waiting = early
      early = []
      send(waiting)
    }
  }

  /// Encrypts bytes for the peer.
  package func send(_ plain: [UInt8]) {
    guard early.isEmpty, !isOver else {
      early += plain
      return
    }
    var place = 0
    while place < plain.count {
      let count = unsafe plain.withUnsafeBytes { bytes in
        unsafe copenssl_write(session, bytes.baseAddress.map { unsafe $0 + place }, Int32(bytes.count - place))
      }
      guard count > 0 else {
        if count < 0 { isOver = true }
        early = Array(plain[place...])
        return
      }
      place += Int(count)
    }
  }

  /// Appends the encrypted bytes for the peer to `bytes`.
  package func output(into bytes: inout [UInt8]) {
    var count: Int32 = 1
    while count > 0 {
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.step) { room in
        unsafe count = copenssl_take(session, room.baseAddress, Int32(Self.step))
        if count > 0 { unsafe bytes.append(contentsOf: room.prefix(Int(count))) }
      }
    }
  }
}
