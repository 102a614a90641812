internal import Base
internal import CMicroHTTP

/// Ties a request of libmicrohttpd to the exchange that answers it.
///
/// Its connection is suspended whenever there is nothing to do: until the exchange can take more of the body, the
/// response is decided, or there are more bytes of it.
@safe final class ServerRequest {
  private unowned let server: HTTPServer
  let connection: ServerConnection
  /// The path and the query, as they were sent.
  let target: String
  private(set) var exchange: (any Exchange)?
  private var waiting = Waiting.nothing
  private var hasBodyEnded = false
  private var isAbandoned = false
  /// How many bytes arrived after the response was decided.
  private var discarded = 0

  private enum Waiting {
    case nothing
    /// Suspended until there is room for more of the body.
    case room
    /// Suspended until the response is decided.
    case response
    /// Suspended until there are bytes of the response.
    case bytes
  }

  init(_ target: String, on connection: ServerConnection, of server: HTTPServer) {
    self.target = target
    self.connection = connection
    self.server = server
  }

  /// How many bytes are read and thrown away so that a caller that is still sending can read its refusal.
  private static let mostDiscarded = 1 << 20

  // MARK: - Called by the library

  func begin(_ exchange: any Exchange, head: RequestHead, _ native: OpaquePointer) -> MHD_Result {
    self.exchange = exchange
    exchange.onChange = { [weak self] in self?.changed() }
    // A refusal is sent at once, without reading the body, if the body is long or the caller asks before sending it.
    let count = head["content-length"].flatMap { Int($0) } ?? 0
    let isLong = count > Self.mostDiscarded || head["transfer-encoding"] != nil || head["expect"] != nil
    if isLong, let response = exchange.response { return unsafe queue(response, native, closes: true) }
    return .YES
  }

  func take(_ bytes: UnsafePointer<CChar>, _ count: inout Int, _ native: OpaquePointer) -> MHD_Result {
    guard let exchange, !isAbandoned else { return .NO }
    let body = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    if exchange.response != nil {
      discarded += count
      if discarded > Self.mostDiscarded { return .NO }
    }
    let taken = exchange.take(body[...])
    count -= taken
    if count > 0 { unsafe suspend(native, until: .room) }
    return .YES
  }

  func endBody(_ native: OpaquePointer) -> MHD_Result {
    guard let exchange, !isAbandoned else { return .NO }
    if !hasBodyEnded {
      hasBodyEnded = true
      connection.bodyEnded()
      exchange.endBody()
    }
    if let response = exchange.response { return unsafe queue(response, native, closes: false) }
    unsafe suspend(native, until: .response)
    return .YES
  }

  /// Writes bytes of a streamed response; returns how many, or libmicrohttpd's constant for what comes next.
  func write(to buffer: UnsafeMutablePointer<CChar>, _ most: Int) -> Int {
    guard let exchange, !isAbandoned else { return Int(cmicrohttp_end_with_error()) }
    switch exchange.nextBytes(most) {
    case .bytes(let bytes):
      unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: bytes, byteCount: bytes.count)
      return bytes.count
    case .wait:
      if let native = unsafe connection.native { unsafe suspend(native, until: .bytes) }
      return 0
    case .end: return Int(cmicrohttp_end_of_stream())
    }
  }

  func complete(_ isComplete: Bool) {
    exchange?.onChange = {}
    exchange?.close(wasComplete: isComplete && !isAbandoned)
    exchange = nil
  }

  // MARK: - Waiting

  private func suspend(_ native: OpaquePointer, until event: Waiting) {
    waiting = event
    unsafe MHD_suspend_connection(native)
    connection.pause()
    server.noteSuspended(self)
  }

  private func changed() {
    guard let exchange else { return }
    switch waiting {
    case .nothing: return
    case .room where exchange.wantsBody || exchange.response != nil: resume()
    case .response where exchange.response != nil: resume()
    // The library then asks for bytes, and waits again if there are none.
    case .bytes: resume()
    case .room, .response: return
    }
  }

  var isSuspended: Bool { waiting != .nothing }

  func resume() {
    guard waiting != .nothing, let native = unsafe connection.native else { return }
    waiting = .nothing
    connection.goOn()
    unsafe MHD_resume_connection(native)
    server.wantsRun = true
  }

  /// The caller has gone. The connection is resumed so that the library notices.
  func abandon() {
    isAbandoned = true
    exchange?.close(wasComplete: false)
    resume()
  }

  // MARK: - The response

  private func queue(_ response: HTTPResponse, _ native: OpaquePointer, closes: Bool) -> MHD_Result {
    guard let made = unsafe make(response) else { return .NO }
    exchange?.forgetBody()
    defer { unsafe MHD_destroy_response(made) }
    for header in response.headers { unsafe MHD_add_response_header(made, header.name, header.value) }
    if closes || server.isDraining { unsafe MHD_add_response_header(made, "Connection", "close") }
    return unsafe MHD_queue_response(native, UInt32(response.status), made)
  }

  private func make(_ response: HTTPResponse) -> OpaquePointer? {
    switch response.body {
    case .bytes(var bytes):
      return unsafe MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .stream:
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      return unsafe MHD_create_response_from_callback(
        UInt64.max, Self.blockSize,
        { context, _, buffer, most in
          guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
          return unsafe Unmanaged<ServerRequest>.fromOpaque(context).takeUnretainedValue().write(to: buffer, most)
        }, context,
        { context in
          if let context = unsafe context { unsafe Unmanaged<ServerRequest>.fromOpaque(context).release() }
        })
    }
  }

  private static let blockSize = 16 << 10
}

/// A connection from its acceptance to its end.
@safe final class ServerConnection {
  let number: UInt64
  let native: OpaquePointer?
  let descriptor: Int32
  let address: String
  private(set) var progress: ConnectionProgress
  var request: ServerRequest?
  /// Whether its end is reported to the server.
  var isWatched = false
  /// Its end was reported.
  var hasEnded = false
  /// There was no room for it: the library has not noticed its end yet.
  private(set) var isTurnedAway = false
  private unowned let server: HTTPServer

  init(_ number: UInt64, native: OpaquePointer, descriptor: Int32, address: String, of server: HTTPServer) {
    self.number = number
    unsafe self.native = native
    self.descriptor = descriptor
    self.address = address
    self.server = server
    progress = ConnectionProgress(at: server.now)
  }

  func enter(_ phase: ConnectionProgress.Phase) { progress.enter(phase, at: server.now) }

  func turnAway() {
    isTurnedAway = true
    Descriptors.endConnection(descriptor)
  }

  func pause() { progress.pause(at: server.now) }

  func goOn() { progress.goOn(at: server.now) }

  func bodyEnded() { enter(.answer) }
}
