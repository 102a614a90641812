internal import Base
internal import CMicroHTTP
internal import Glibc
internal import Synchronization

/// The response to a request. It depends on the request's method and path alone; a request's body is ignored.
struct HTTPAnswer: Sendable, Hashable {
  var status: UInt32
  var contentType = "text/plain; charset=utf-8"
  var headers: [String: String] = [:]
  var body: String
}

/// A small HTTP server on libmicrohttpd, for operators of a process: few connections, one thread, no bodies.
@safe final class HTTPListener: @unchecked Sendable {
  // Unchecked because the library guards its daemon itself; the pointer never changes.
  private let daemon: OpaquePointer
  private let responder: Unmanaged<Responder>
  let endpoint: Endpoint

  /// More than `KeptConnections.most`, because the library takes some time to remove connections that were ended.
  private static let connectionLimit: UInt32 = 512
  private static let idleSeconds: UInt32 = 10

  init(
    _ wanted: Endpoint, respond: @escaping @Sendable (_ method: String, _ path: String) -> HTTPAnswer
  ) throws(ListenError) {
    let responder = unsafe Unmanaged.passRetained(Responder(respond: respond))
    let result = unsafe withAddress(of: wanted) { address in
      unsafe cmicrohttp_start(
        address.assumingMemoryBound(to: sockaddr.self), Self.connectionLimit, Self.idleSeconds, answer, note,
        responder.toOpaque())
    }
    switch unsafe result {
    case .success(let daemon):
      unsafe self.daemon = daemon
      unsafe self.responder = responder
      endpoint = Endpoint(host: wanted.host, port: UInt16(truncatingIfNeeded: unsafe cmicrohttp_port(daemon)))
    case .failure(let error):
      unsafe responder.release()
      throw error
    }
  }

  /// Closes the port and every connection, and waits for an answer that is being sent.
  deinit {
    unsafe MHD_stop_daemon(daemon)
    unsafe responder.release()
  }
}

/// The process cannot listen on this address.
package struct ListenError: Error, CustomStringConvertible {
  package let description: String

  package init(_ endpoint: Endpoint, _ reason: String) {
    description = "cannot listen on \(endpoint.settingText): \(reason)"
  }
}

private final class Responder: Sendable {
  let connections = Mutex(KeptConnections())
  let respond: @Sendable (_ method: String, _ path: String) -> HTTPAnswer

  init(respond: @escaping @Sendable (_ method: String, _ path: String) -> HTTPAnswer) {
    self.respond = respond
  }
}

/// Calls `start` with a numeric address: names are not resolved, because the address to listen on should not depend on
/// DNS.
///
/// - Parameter start: gets the address of a `sockaddr`.
package func withAddress(
  of endpoint: Endpoint, start: (UnsafeRawPointer) -> OpaquePointer?
) -> Result<OpaquePointer, ListenError> {
  var hints = unsafe addrinfo()
  unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
  unsafe hints.ai_socktype = Int32(bitPattern: SOCK_STREAM.rawValue)
  var found: UnsafeMutablePointer<addrinfo>?
  let host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host
  guard unsafe getaddrinfo(host, String(endpoint.port), &hints, &found) == 0,
    let address = unsafe found?.pointee.ai_addr
  else { return unsafe .failure(ListenError(endpoint, "'\(endpoint.host)' is not a numeric address")) }
  defer { unsafe freeaddrinfo(found) }
  errno = 0
  guard let daemon = unsafe start(UnsafeRawPointer(address)) else {
    return unsafe .failure(ListenError(endpoint, errno == 0 ? "the library refused" : systemMessage(errno)))
  }
  return unsafe .success(daemon)
}

/// The connections of a listener, oldest first. When there are too many, each new one ends the oldest, so that a client
/// with many open, idle or half-closed connections keeps nobody else out.
private struct KeptConnections {
  private var descriptors: [Int32] = []
  private static let most = 32

  mutating func began(_ descriptor: Int32) {
    descriptors.append(descriptor)
    if descriptors.count > Self.most { Descriptors.endConnection(descriptors.removeFirst()) }
  }

  mutating func ended(_ descriptor: Int32) {
    if let place = descriptors.firstIndex(of: descriptor) { descriptors.remove(at: place) }
  }
}

/// Called by the library on its own thread when a connection begins, and before its descriptor is closed.
private let note: MHD_NotifyConnectionCallback = { context, connection, _, change in
  guard let context = unsafe context, let connection = unsafe connection else { return }
  let responder = unsafe Unmanaged<Responder>.fromOpaque(context).takeUnretainedValue()
  let descriptor = unsafe cmicrohttp_descriptor(connection)
  responder.connections.withLock { connections in
    if cmicrohttp_has_begun(change) != 0 {
      connections.began(descriptor)
    } else {
      connections.ended(descriptor)
    }
  }
}

/// Called by the library on its own thread: once for the head of a request, then until its body is read.
private let answer: MHD_AccessHandlerCallback = { context, connection, url, method, _, _, uploadSize, state in
  guard let context = unsafe context, let url = unsafe url, let method = unsafe method,
    let uploadSize = unsafe uploadSize, let state = unsafe state
  else { return .NO }
  if unsafe state.pointee == nil {
    // Any non-null pointer distinguishes later calls for the same request from the first.
    unsafe state.pointee = context
    return .YES
  }
  if unsafe uploadSize.pointee > 0 {
    unsafe uploadSize.pointee = 0
    return .YES
  }
  let responder = unsafe Unmanaged<Responder>.fromOpaque(context).takeUnretainedValue()
  let answer = unsafe responder.respond(String(cString: method), String(cString: url))
  var body = Array(answer.body.utf8)
  guard let response = unsafe MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY) else {
    return .NO
  }
  defer { unsafe MHD_destroy_response(response) }
  unsafe MHD_add_response_header(response, "Content-Type", answer.contentType)
  for (name, value) in answer.headers { unsafe MHD_add_response_header(response, name, value) }
  return unsafe MHD_queue_response(connection, answer.status, response)
}
