package import Base
internal import CMicroHTTP
internal import Face
internal import Glibc
package import ServiceKit

/// HTTP/1.1 by libmicrohttpd, without a thread of its own: its owner calls `run` when its descriptor is readable, and
/// again when requests have changed.
@safe package final class HTTPServer {
  package struct Configuration {
    package var endpoint: Endpoint
    /// The certificate and the key as PEM; without them the server does not use TLS.
    package var certificate: [UInt8]?
    package var key: [UInt8]?
    package var connectionLimit = 12_000
    /// How often an address may open a connection with TLS.
    package var handshakes = Handshakes.rate()
    /// The most bytes of a request's head, which is also what an idle connection may keep in memory.
    package var headLimit = 16 << 10
    /// How long a connection may be silent, or idle between requests.
    package var idleLimit = Duration.seconds(75)
    /// How long the head of a request may take to arrive.
    package var headTime = Duration.seconds(10)
    /// How long the body of a request may take to arrive.
    package var bodyTime = Duration.seconds(60)

    package init(endpoint: Endpoint) {
      self.endpoint = endpoint
    }
  }

  package let endpoint: Endpoint
  private let configuration: Configuration
  private var daemon: OpaquePointer?
  private let open: (RequestHead) -> any Exchange
  private let noteSuspension: (ServerRequest) -> Void
  private let noteRefusal: (_ address: String, _ why: String) -> Void
  private var connections: [UInt64: ServerConnection] = [:]
  /// The number of connections from each address, in the form that `CountedAddress` gives it.
  private var counted: Shares<String>
  /// nil without TLS.
  private var handshakes: TokenBuckets?
  private let reserve = DescriptorReserve()
  private var lastNumber: UInt64 = 0
  /// Whether a request goes on, so that the library has to run.
  var wantsRun = false
  private(set) var isDraining = false
  /// The time at which the owner's present turn began.
  var now: MonotonicTime
  private(set) var openRequests = 0

  /// - Parameters:
  ///   - open: makes the exchange that answers a request, from its head.
  ///   - noteSuspension: called with each request that has to wait.
  ///   - noteRefusal: called with each connection that is refused.
  init(
    _ configuration: Configuration, at now: MonotonicTime, open: @escaping (RequestHead) -> any Exchange,
    noteSuspension: @escaping (ServerRequest) -> Void,
    noteRefusal: @escaping (_ address: String, _ why: String) -> Void
  ) throws(ListenError) {
    self.configuration = configuration
    counted = Shares(of: configuration.connectionLimit)
    handshakes = configuration.certificate == nil ? nil : Handshakes.buckets(configuration.handshakes)
    self.open = open
    self.noteSuspension = noteSuspension
    self.noteRefusal = noteRefusal
    self.now = now
    endpoint = configuration.endpoint
    unsafe daemon = nil
    var certificate = configuration.certificate.map { $0 + [0] }
    var key = configuration.key.map { $0 + [0] }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result = unsafe withAddress(of: configuration.endpoint) { address in
      unsafe Self.start(address.assumingMemoryBound(to: sockaddr.self), configuration, &certificate, &key, context)
    }
    unsafe daemon = try result.get()
  }

  /// Ends all connections. Must be called before the last reference to this object goes, since the library calls back.
  package func stop() {
    guard let native = unsafe daemon else { return }
    // The library demands that no connection is suspended when it stops.
    for connection in connections.values { connection.request?.abandon() }
    unsafe MHD_run(native)
    unsafe MHD_stop_daemon(native)
    unsafe daemon = nil
  }

  private static func start(
    _ address: UnsafePointer<sockaddr>, _ configuration: Configuration, _ certificate: inout [UInt8]?,
    _ key: inout [UInt8]?, _ context: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    let calls = unsafe cmicrohttp_callbacks(
      admit: admit, handle: handle, begin: begin, connection: noteConnection, completed: completed, context: context)
    let idle = UInt32(clamping: configuration.idleLimit.components.seconds)
    func open(_ certificate: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
      unsafe cmicrohttp_open(
        address, UInt32(configuration.connectionLimit), idle, configuration.headLimit, certificate, key, calls)
    }
    guard let certificate, let key else { return unsafe open(nil, nil) }
    // libmicrohttpd does not copy them; gnutls reads them while the daemon starts.
    return unsafe certificate.withUnsafeBytes { certificate in
      unsafe key.withUnsafeBytes { key in
        unsafe open(
          certificate.baseAddress?.assumingMemoryBound(to: CChar.self),
          key.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  // MARK: - Called by the owner

  /// The port that was bound; the system chooses it for port 0.
  package var port: UInt16 { unsafe daemon.map { unsafe UInt16(truncatingIfNeeded: cmicrohttp_port($0)) } ?? 0 }

  /// Readable when `run` has something to do.
  var descriptor: Int32 { unsafe daemon.map { unsafe cmicrohttp_events($0) } ?? -1 }

  package var connectionCount: Int { connections.count }

  /// Lets the library read and write what it can.
  func run(at now: MonotonicTime) {
    self.now = now
    wantsRun = false
    if let daemon = unsafe daemon { unsafe MHD_run(daemon) }
  }

  /// When `run` must be called even if nothing happens.
  var nextRun: MonotonicTime? {
    guard let daemon = unsafe daemon else { return nil }
    let milliseconds = unsafe cmicrohttp_timeout(daemon)
    return milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
  }

  /// Accepts no further connections.
  func drain() {
    guard !isDraining, let daemon = unsafe daemon else { return }
    isDraining = true
    let listener = unsafe MHD_quiesce_daemon(daemon)
    if listener >= 0 { close(listener) }
    for connection in connections.values where connection.progress.phase == .idle {
      Descriptors.endConnection(connection.descriptor)
    }
  }

  func noteSuspended(_ request: ServerRequest) { noteSuspension(request) }

  func connection(_ number: UInt64) -> ServerConnection? { connections[number] }

  /// Ends connections on which a phase has taken too long. The library only ends those on which nothing moves.
  func endSlowConnections(at now: MonotonicTime) {
    for connection in connections.values {
      let limit: Duration? =
        switch connection.progress.phase {
        case .idle: configuration.idleLimit
        case .head: configuration.headTime
        case .body: configuration.bodyTime
        case .answer: nil
        }
      if let limit, connection.progress.exceeds(limit, at: now) { Descriptors.endConnection(connection.descriptor) }
    }
  }

  // MARK: - Called by the library

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
    unsafe context.map { unsafe Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Called with each new connection, before its handshake.
  private static let admit: MHD_AcceptPolicyCallback = { context, peer, _ in
    guard let server = unsafe HTTPServer.of(context) else { return .NO }
    return unsafe server.admits(peer) ? .YES : .NO
  }

  private func admits(_ peer: UnsafePointer<sockaddr>?) -> Bool {
    guard handshakes != nil else { return true }
    let address = unsafe Self.text(of: peer)
    guard handshakes?.take(CountedAddress.of(address), at: now).isAdmitted == false else { return true }
    noteRefusal(address, Handshakes.objection(configuration.handshakes))
    return false
  }

  private static let noteConnection: MHD_NotifyConnectionCallback = { context, native, kept, change in
    guard let server = unsafe HTTPServer.of(context), let native = unsafe native, let kept = unsafe kept else { return }
    if cmicrohttp_has_begun(change) != 0 {
      let connection = unsafe server.accepted(native)
      unsafe kept.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let known = unsafe kept.pointee {
      let connection = unsafe Unmanaged<ServerConnection>.fromOpaque(known).takeRetainedValue()
      server.forget(connection)
      unsafe kept.pointee = nil
    }
  }

  private func accepted(_ native: OpaquePointer) -> ServerConnection {
    lastNumber += 1
    let connection = unsafe ServerConnection(
      lastNumber, native: native, descriptor: cmicrohttp_descriptor(native),
      address: Self.text(of: cmicrohttp_peer(native)), of: self)
    let host = CountedAddress.of(connection.address)
    if let why = objection(to: connection, from: host) {
      noteRefusal(connection.address, why)
      connection.turnAway()
    }
    connections[lastNumber] = connection
    counted.add(1, for: host)
    return connection
  }

  /// - Parameter host: the connection's address, in the form that `CountedAddress` gives it.
  private func objection(to connection: ServerConnection, from host: String) -> String? {
    if reserve.includes(connection.descriptor) { return reserve.refusal }
    return counted.admits(1, for: host) ? nil : "too many connections: \(counted[host]) of \(counted.taken)"
  }

  private func forget(_ connection: ServerConnection) {
    connections.removeValue(forKey: connection.number)
    counted.giveBack(1, for: CountedAddress.of(connection.address))
  }

  /// The request line has arrived.
  private static let begin:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
      context, target, native in
      guard let server = unsafe HTTPServer.of(context), let native = unsafe native, let target = unsafe target,
        let kept = unsafe cmicrohttp_kept(native)
      else { return nil }
      let connection = unsafe Unmanaged<ServerConnection>.fromOpaque(kept).takeUnretainedValue()
      connection.enter(.head)
      let request = ServerRequest(unsafe String(cString: target), on: connection, of: server)
      connection.request = request
      server.openRequests += 1
      return unsafe Unmanaged.passRetained(request).toOpaque()
    }

  /// Called for the head of a request, for each part of its body, and for its end, again and again until it is
  /// answered.
  private static let handle: MHD_AccessHandlerCallback = { context, native, _, method, _, bytes, count, state in
    guard let server = unsafe HTTPServer.of(context), let native = unsafe native, let method = unsafe method,
      let count = unsafe count, let known = unsafe state?.pointee
    else { return .NO }
    let request = unsafe Unmanaged<ServerRequest>.fromOpaque(known).takeUnretainedValue()
    // Ignores whatever a connection sent before it was turned away.
    guard !request.connection.isTurnedAway else { return .NO }
    guard request.exchange != nil else {
      request.connection.enter(.body)
      let head = unsafe server.head(of: request, String(cString: method), native)
      return unsafe request.begin(server.open(head), head: head, native)
    }
    if let bytes = unsafe bytes, unsafe count.pointee > 0 { return unsafe request.take(bytes, &count.pointee, native) }
    return unsafe request.endBody(native)
  }

  private static let completed: MHD_RequestCompletedCallback = { context, _, state, code in
    guard let server = unsafe HTTPServer.of(context), let known = unsafe state?.pointee else { return }
    let request = unsafe Unmanaged<ServerRequest>.fromOpaque(known).takeRetainedValue()
    unsafe state?.pointee = nil
    request.complete(cmicrohttp_is_complete(code) != 0)
    request.connection.request = nil
    request.connection.enter(.idle)
    server.openRequests -= 1
  }

  private func head(of request: ServerRequest, _ method: String, _ native: OpaquePointer) -> RequestHead {
    var head = RequestHead(
      method: method, target: request.target, address: request.connection.address,
      isSecure: configuration.certificate != nil)
    unsafe withUnsafeMutablePointer(to: &head) { head in
      unsafe _ = MHD_get_connection_values(
        native, .HEADER_KIND,
        { head, _, name, value in
          guard let head = unsafe head, let name = unsafe name else { return .YES }
          unsafe head.assumingMemoryBound(to: RequestHead.self).pointee.add(
            String(cString: name), value.map { unsafe String(cString: $0) } ?? "")
          return .YES
        }, head)
    }
    return head
  }

  private static func text(of address: UnsafePointer<sockaddr>?) -> String {
    guard let address = unsafe address else { return "" }
    let length = socklen_t(
      unsafe address.pointee.sa_family == UInt16(AF_INET6)
        ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress,
        unsafe getnameinfo(address, length, start, 64, nil, 0, NI_NUMERICHOST) == 0
      else { return "" }
      return unsafe String(cString: start)
    }
  }
}
