internal import Base
internal import CZMQ

/// Opens a socket with all its options set; if that fails, no socket stays open.
func openHandle(_ options: SocketOptions, in context: ZeroMQContext) throws(ZeroMQError) -> UnsafeMutableRawPointer {
  guard let handle = unsafe zmq_socket(context.handle, options.kind.native) else {
    throw .last("open a \(options.kind) socket")
  }
  do throws(ZeroMQError) {
    try unsafe OptionWriter(handle: handle).apply(options)
    return unsafe handle
  } catch {
    unsafe zmq_close(handle)
    throw error
  }
}

@safe private struct OptionWriter {
  let handle: UnsafeMutableRawPointer

  func apply(_ options: SocketOptions) throws(ZeroMQError) {
    try set(ZMQ_LINGER, options.linger, "linger")
    try set(ZMQ_SNDHWM, options.sendHighWater, "send high-water mark")
    try set(ZMQ_RCVHWM, options.receiveHighWater, "receive high-water mark")
    try setLargestFrame(options.maxFrameBytes)
    switch options.kind {
    case .router:
      try set(ZMQ_ROUTER_MANDATORY, 1, "mandatory routing")
      try set(ZMQ_BACKLOG, options.acceptBacklog, "accept backlog")
      try setLink(options)
    case .dealer:
      try set(ZMQ_IMMEDIATE, 1, "sending to standing connections only")
      try setLink(options)
    case .reply, .pair:
      break
    }
    try secure(options.security)
  }

  private func setLink(_ options: SocketOptions) throws(ZeroMQError) {
    try set(ZMQ_HEARTBEAT_IVL, options.heartbeatInterval, "heartbeat interval")
    try set(ZMQ_HEARTBEAT_TIMEOUT, options.heartbeatTimeout, "heartbeat timeout")
    try set(ZMQ_RECONNECT_IVL, options.reconnectInterval, "reconnect interval")
    try set(ZMQ_RECONNECT_IVL_MAX, options.reconnectIntervalMax, "longest reconnect interval")
    try set(ZMQ_HANDSHAKE_IVL, options.handshakeTimeout, "handshake timeout")
  }

  private func secure(_ security: SocketOptions.Security) throws(ZeroMQError) {
    switch security {
    case .none:
      break
    case .curveServer(let keys, let domain):
      try set(ZMQ_CURVE_SERVER, 1, "CURVE server role")
      try set(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes, "own secret key")
      try set(ZMQ_ZAP_DOMAIN, Array(domain.utf8), "authentication domain")
    case .curveClient(let keys, let server):
      try set(ZMQ_CURVE_SERVERKEY, server.bytes, "server's public key")
      try set(ZMQ_CURVE_PUBLICKEY, keys.publicKey.bytes, "own public key")
      try set(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes, "own secret key")
    }
  }

  private func set(_ option: Int32, _ duration: Duration, _ meaning: String) throws(ZeroMQError) {
    try set(option, Int32(clamping: duration.wholeMilliseconds), meaning)
  }

  private func set(_ option: Int32, _ value: Int32, _ meaning: String) throws(ZeroMQError) {
    let failure = unsafe withUnsafeBytes(of: value) { unsafe zmq_setsockopt(handle, option, $0.baseAddress, $0.count) }
    guard failure == 0 else { throw .last("set the \(meaning) to \(value)") }
  }

  private func setLargestFrame(_ bytes: Int64) throws(ZeroMQError) {
    let failure = unsafe withUnsafeBytes(of: bytes) {
      unsafe zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, $0.baseAddress, $0.count)
    }
    guard failure == 0 else { throw .last("set the largest frame to \(bytes) bytes") }
  }

  private func set(_ option: Int32, _ bytes: [UInt8], _ meaning: String) throws(ZeroMQError) {
    // The value is left out of the message, because it may be secret.
    guard unsafe zmq_setsockopt(handle, option, bytes, bytes.count) == 0 else { throw .last("set the \(meaning)") }
  }
}
