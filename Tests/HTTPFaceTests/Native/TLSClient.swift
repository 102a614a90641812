import COpenSSL

/// A client's end of a connection with TLS as a machine.
@safe final class TLSClient {
  private let context: OpaquePointer
  private let session: OpaquePointer

  init?() {
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return nil }
    let protocols: [UInt8] = [2] + "h2".utf8
    unsafe SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count))
    guard let session = unsafe SSL_new(context) else { return nil }
    unsafe SSL_set_bio(session, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    unsafe SSL_set_connect_state(session)
    unsafe (self.context, self.session) = unsafe (context, session)
  }

  deinit {
    unsafe SSL_free(session)
    unsafe SSL_CTX_free(context)
  }

  /// Takes what the server says, and returns what is said next.
  func answer(_ bytes: [UInt8]) -> [UInt8] {
    if !bytes.isEmpty { unsafe copenssl_put(session, bytes, Int32(bytes.count)) }
    unsafe SSL_do_handshake(session)
    return output()
  }

  var isReady: Bool { unsafe SSL_is_init_finished(session) == 1 }

  /// Asks the server to change its keys.
  func askForKeys() -> [UInt8] {
    unsafe SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED)
    unsafe SSL_do_handshake(session)
    return output()
  }

  private func output() -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe copenssl_take(session, &room, Int32(room.count))
      guard count > 0 else { return bytes }
      bytes += room.prefix(Int(count))
    }
  }
}
