package import Base
internal import CHTTP2

/// The server's end of an HTTP/2 connection as a state machine: bytes and actions go in, events and bytes come out. It
/// has no socket and reads no clock.
///
/// libnghttp2 implements the protocol itself: frames, header compression, states of streams, windows. This adds the
/// bounds that the library leaves to its user.
@safe package final class HTTP2Connection {
  private let session: OpaquePointer
  private let state: HTTP2State
  /// Whether the first frame was handed out.
  private var hasSentSettings = false

  package init(_ limits: HTTP2Limits = HTTP2Limits(), at now: MonotonicTime) {
    let state = HTTP2State(limits, at: now)
    self.state = state
    var session: OpaquePointer?
    let options = unsafe Self.options()
    defer { unsafe nghttp2_option_del(options) }
    let user = unsafe Unmanaged.passUnretained(state).toOpaque()
    let code = unsafe nghttp2_session_server_new2(&session, HTTP2Callbacks.shared.pointer, user, options)
    guard code == 0, let session = unsafe session else { preconditionFailure("there is no memory for a connection") }
    unsafe self.session = session
    var settings = [
      // The library would end the connection, with all its requests, for one request too many, which `HTTP2State`
      // refuses alone: it is told of no bound, and the peer of the right one by `announceStreams`.
      nghttp2_settings_entry(settings_id: 0x3, value: UInt32(Int32.max)),
      nghttp2_settings_entry(settings_id: 0x4, value: UInt32(limits.streamWindow)),
      nghttp2_settings_entry(settings_id: 0x6, value: UInt32(limits.headerSize)),
      // Disables HTTP/2's priorities (RFC 9218): answers take turns, whatever a client would prefer.
      nghttp2_settings_entry(settings_id: 0x9, value: 1),
    ]
    unsafe nghttp2_submit_settings(session, 0, &settings, settings.count)
    unsafe nghttp2_session_set_local_window_size(session, 0, 0, limits.connectionWindow)
  }

  deinit {
    unsafe nghttp2_session_del(session)
  }

  private static func options() -> OpaquePointer? {
    var options: OpaquePointer?
    guard unsafe nghttp2_option_new(&options) == 0 else { preconditionFailure("there is no memory for a connection") }
    // Windows are reopened as bodies are consumed, not as they arrive.
    unsafe nghttp2_option_set_no_auto_window_update(options, 1)
    unsafe nghttp2_option_set_no_closed_streams(options, 1)
    // The most acknowledgements that may wait for a peer to read them: more than the budget of idle frames allows at
    // once.
    unsafe nghttp2_option_set_max_outbound_ack(options, 1000)
    unsafe nghttp2_option_set_max_settings(options, 16)
    unsafe nghttp2_option_set_max_continuations(options, 4)
    // Practically off: the budget of idle frames is stricter, and does not count resets of answered requests.
    unsafe nghttp2_option_set_stream_reset_rate_limit(options, 10_000, 10_000)
    return unsafe options
  }

  // MARK: - Input

  /// Takes bytes from the peer.
  package func receive(_ bytes: Span<UInt8>, at now: MonotonicTime) {
    guard !state.isOver, bytes.count > 0 else { return }
    state.now = now
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe nghttp2_session_mem_recv(session, buffer.baseAddress, buffer.count)
    }
    if code < 0 { state.fault = HTTP2Fault(library: Int32(clamping: code)) }
    endIfObjected()
  }

  /// Ends the connection if the peer has exceeded a bound or broken a rule; returns whether it did.
  @discardableResult
  private func endIfObjected() -> Bool {
    guard state.fault == nil, let (code, reason) = state.objection else { return false }
    end(code, because: reason)
    return true
  }

  // MARK: - Actions

  /// Begins the answer to a request. With `isWhole` it is complete; otherwise a body and a trailer follow.
  package func answer(_ number: Int32, _ header: HeaderList, isWhole: Bool = false) {
    guard let stream = state.streams[number], !stream.hasAnswer else { return }
    stream.answer = isWhole ? .complete(trailer: HeaderList()) : .begun
    state.noteAnswer()
    unsafe header.withFields { fields, count in
      if isWhole {
        _ = unsafe nghttp2_submit_response(session, number, fields, count, nil)
      } else {
        var provider = unsafe nghttp2_data_provider(source: nghttp2_data_source(fd: 0), read_callback: provideBody)
        _ = unsafe nghttp2_submit_response(session, number, fields, count, &provider)
      }
    }
  }

  /// Adds bytes to the body of an answer.
  package func send(_ bytes: [UInt8], to number: Int32) {
    guard let stream = state.streams[number], stream.takesBody else { return }
    stream.waiting.append(bytes)
    resume(stream)
  }

  /// How much memory the body of an answer takes that has not been handed out.
  package func kept(of number: Int32) -> Int { state.streams[number]?.waiting.kept ?? 0 }

  /// Ends an answer: no more of its body follows.
  package func finish(_ number: Int32, _ trailer: HeaderList) {
    guard let stream = state.streams[number], stream.takesBody else { return }
    stream.answer = .complete(trailer: trailer)
    resume(stream)
  }

  /// Resets a stream. Bytes that wait to be sent are dropped.
  package func reset(_ number: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = state.streams[number] else { return }
    stream.waiting.removeAll()
    unsafe nghttp2_submit_rst_stream(session, 0, number, code.rawValue)
  }

  /// Notes that this many bytes of a request's body have been processed, so that the client may send as many more.
  package func consume(_ count: Int, of number: Int32) {
    guard count > 0, let stream = state.streams[number] else { return }
    let count = min(count, stream.unread)
    stream.unread -= count
    unsafe nghttp2_session_consume(session, number, count)
  }

  /// Tells the peer to begin no more requests here. Requests that it begins before it reads this are still accepted.
  package func announceEnd() { unsafe nghttp2_submit_shutdown_notice(session) }

  /// Refuses requests that the peer has not begun yet.
  package func refuseMore() {
    let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
    unsafe nghttp2_submit_goaway(session, 0, last, HTTP2ErrorCode.noError.rawValue, nil, 0)
  }

  /// Sends a ping, which a living peer answers.
  package func ping() { unsafe nghttp2_submit_ping(session, 0, nil) }

  /// Ends the connection once its output is sent, with a reason for the peer's log.
  package func end(_ code: HTTP2ErrorCode, because reason: String) {
    guard state.fault == nil else { return }
    state.fault = HTTP2Fault(description: reason)
    let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
    let text = Array(reason.utf8)
    unsafe text.withUnsafeBufferPointer { text in
      _ = unsafe nghttp2_submit_goaway(session, 0, last, code.rawValue, text.baseAddress, text.count)
    }
  }

  private func resume(_ stream: HTTP2Stream) {
    guard stream.isDeferred else { return }
    stream.isDeferred = false
    unsafe nghttp2_session_resume_data(session, stream.number)
  }

  // MARK: - Output

  /// Swaps the events since the last call with the empty `buffer`.
  package func takeEvents(into buffer: inout [HTTP2Event]) { swap(&state.events, &buffer) }

  /// Appends bytes for the peer to `buffer` until it holds `limit` or nothing is left; returns whether more may be
  /// left.
  package func output(into buffer: inout [UInt8], upTo limit: Int) -> Bool {
    while buffer.count < limit {
      var bytes: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(session, &bytes)
      if count < 0 {
        state.fault = state.fault ?? HTTP2Fault(library: Int32(clamping: count))
        return false
      }
      // A frame that was just sent may have exceeded a bound; then the frame that ends the connection follows.
      let endsNow = endIfObjected()
      if count > 0, let bytes = unsafe bytes {
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        if !hasSentSettings { announceStreams(in: &buffer, at: buffer.count - count) }
      } else if !endsNow {
        return false
      }
    }
    return true
  }

  /// Writes how many requests may be open into the first frame, the settings: as the first of them.
  private func announceStreams(in buffer: inout [UInt8], at start: Int) {
    hasSentSettings = true
    let place = start + HTTP2State.frameHeader + 2
    for byte in 0..<4 { buffer[place + byte] = UInt8(truncatingIfNeeded: state.limits.streams >> (24 - 8 * byte)) }
  }

  /// Whether the connection is to be closed once its output is sent.
  package var isOver: Bool {
    state.fault != nil
      || (unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
  }

  /// Why the server gave the connection up; nil if it did not.
  package var fault: HTTP2Fault? { state.fault }

  /// Whether the peer's first SETTINGS have arrived.
  package var hasGreeted: Bool { state.hasGreeted }

  /// How many requests are not over.
  package var openStreams: Int { state.streams.count }
}

/// Why a connection cannot go on.
package struct HTTP2Fault: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// The peer's first bytes were not those of HTTP/2.
  package let isOtherProtocol: Bool

  init(description: String) {
    self.description = description
    isOtherProtocol = false
  }

  init(library code: Int32) {
    isOtherProtocol = code == NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue
    description = unsafe String(cString: nghttp2_strerror(code))
  }
}

/// The part of a connection that libnghttp2's callbacks work on.
final class HTTP2State {
  let limits: HTTP2Limits
  var now: MonotonicTime
  var streams = OpenStreams()
  var events: [HTTP2Event] = []
  var fault: HTTP2Fault?
  /// Set by a callback when the peer has exceeded a bound or broken a rule.
  var objection: (code: HTTP2ErrorCode, reason: String)?
  /// Whether the peer's first SETTINGS have arrived.
  var hasGreeted = false
  /// The highest number of a stream that the peer has begun.
  private var lastBegun: Int32 = 0
  private var past = PastStreams()
  /// Whether part of an answer was sent since the last ping arrived.
  var hasSentSincePing = false
  private var idleFrames: TokenBucket

  init(_ limits: HTTP2Limits, at now: MonotonicTime) {
    self.limits = limits
    self.now = now
    idleFrames = TokenBucket(limits.idleFrames, at: now)
  }

  static let frameHeader = 9

  var isOver: Bool { fault != nil || objection != nil }

  func charge(_ excess: String) {
    if !idleFrames.take(limits.idleFrames, at: now) { objection = (.enhanceYourCalm, excess) }
  }

  /// Begins a request; returns whether there is room for it.
  func begin(_ number: Int32) -> Bool {
    lastBegun = max(lastBegun, number)
    guard streams.count < Int(limits.streams) else {
      noteReset(number)
      charge("too_many_resets")
      return false
    }
    streams.begin(number)
    return true
  }

  func noteReset(_ number: Int32) { past.add(number, .reset) }
  func noteEnd(_ number: Int32) { past.add(number, .complete) }

  /// Objects to a header on a stream that is over (RFC 9113, 5.1 and 5.1.1). The library reads past bodies on them.
  func checkIsOpen(_ number: Int32) {
    guard number <= lastBegun, streams[number] == nil else { return }
    switch past[number] {
    case .reset: break
    case .complete: objection = (.streamClosed, "a frame came on a stream that is over")
    case nil: objection = (.protocolError, "a stream has a lower number than one before it")
    }
  }

  func noteAnswer() { idleFrames.add(limits.idleFramesPerAnswer, limits.idleFrames) }
}
