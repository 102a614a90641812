internal import Base
internal import CZMQ
internal import Wire

/// A ZeroMQ socket. Only one thread at a time may use it, and passes it on under a lock.
@safe package struct Socket: ~Copyable {
  let handle: UnsafeMutableRawPointer
  let kind: SocketOptions.Kind
  /// Whether messages carry the number of the key that their sender has proved.
  let verifiesPeers: Bool
  private let context: ZeroMQContext

  package init(_ options: SocketOptions, in context: ZeroMQContext) throws(ZeroMQError) {
    unsafe handle = try openHandle(options, in: context)
    self.context = context
    kind = options.kind
    if case .curveServer = options.security { verifiesPeers = true } else { verifiesPeers = false }
  }

  deinit {
    unsafe zmq_close(handle)
  }

  package func bind(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_bind(handle, endpoint) == 0 else { throw .last("bind \(endpoint)") }
  }

  package func connect(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_connect(handle, endpoint) == 0 else { throw .last("connect to \(endpoint)") }
  }

  package func disconnect(_ endpoint: String) throws(ZeroMQError) {
    guard unsafe zmq_disconnect(handle, endpoint) == 0 else { throw .last("disconnect from \(endpoint)") }
  }

  /// Becomes readable when there is an event for the socket that libzmq has not processed yet.
  func descriptor() throws(ZeroMQError) -> Int32 {
    var descriptor: Int32 = -1
    var size = MemoryLayout<Int32>.size
    guard unsafe zmq_getsockopt(handle, ZMQ_FD, &descriptor, &size) == 0 else { throw .last("read a descriptor") }
    return descriptor
  }

  /// Processes all events; returns whether a message waits, and whether one could be sent now.
  func readiness() throws(ZeroMQError) -> (hasMessage: Bool, hasRoom: Bool) {
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    guard unsafe zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) == 0 else { throw .last("read the events") }
    return (events & ZMQ_POLLIN != 0, events & ZMQ_POLLOUT != 0)
  }

  /// The last bound endpoint, with the port that the system chose for `tcp://127.0.0.1:*`.
  package func lastEndpoint() throws(ZeroMQError) -> String {
    var text = [UInt8](repeating: 0, count: 512)
    var count = text.count
    guard unsafe zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &count) == 0 else { throw .last("read an endpoint") }
    return String(decoding: text.prefix(max(0, count - 1)), as: UTF8.self)
  }
}

extension SocketOptions.Kind {
  var native: Int32 {
    switch self {
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .reply: ZMQ_REP
    case .pair: ZMQ_PAIR
    }
  }
}
