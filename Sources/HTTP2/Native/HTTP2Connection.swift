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
      nghttp2_settings_entry(settings_id: 0x3, value: limits.streams),
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
    endIfExcessive()
    if unsafe nghttp2_session_get_outbound_queue_size(session) > Self.mostWaiting {
      end(.enhanceYourCalm, because: "too_much_unread")
    }
  }

  /// The most frames that may wait for a peer that does not read. Each request needs a few; a refusal, such as of one
  /// request too many, takes a frame as well.
  private static let mostWaiting = 4096

  /// Ends the connection if the peer has exceeded a bound; returns whether it did.
  @discardableResult
  private func endIfExcessive() -> Bool {
    guard state.fault == nil, let excess = state.excess else { return false }
    end(.enhanceYourCalm, because: excess)
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
      let endsNow = endIfExcessive()
      if count > 0, let bytes = unsafe bytes {
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      } else if !endsNow {
        return false
      }
    }
    return true
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
  var streams: [Int32: HTTP2Stream] = [:]
  var events: [HTTP2Event] = []
  var fault: HTTP2Fault?
  /// Set by a callback when the peer has exceeded a bound.
  var excess: String?
  /// Whether the peer's first SETTINGS have arrived.
  var hasGreeted = false
  /// Whether part of an answer was sent since the last ping arrived.
  var hasSentSincePing = false
  private var idleFrames: TokenBucket

  init(_ limits: HTTP2Limits, at now: MonotonicTime) {
    self.limits = limits
    self.now = now
    idleFrames = TokenBucket(limits.idleFrames, at: now)
  }

  var isOver: Bool { fault != nil || excess != nil }

  func charge(_ excess: String) {
    if !idleFrames.take(limits.idleFrames, at: now) { self.excess = excess }
  }

  func noteAnswer() { idleFrames.add(limits.idleFramesPerAnswer, limits.idleFrames) }
}
