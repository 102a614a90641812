internal import Base
internal import CHTTP2

/// The functions that libnghttp2 calls, shared by all connections. Their context is the connection's `HTTP2State`.
@safe struct HTTP2Callbacks: @unchecked Sendable {
  // `@unchecked` because it is never changed once it is made, and never freed.
  let pointer: OpaquePointer

  static let shared = HTTP2Callbacks()

  private init() {
    var made: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&made) == 0, let made = unsafe made else {
      preconditionFailure("there is no memory for a table of functions")
    }
    unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(made, beginFrame)
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(made, beginHeader)
    unsafe nghttp2_session_callbacks_set_on_header_callback(made, takeField)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, takeBody)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(made, endFrame)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(made, sentFrame)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(made, closeStream)
    unsafe pointer = made
  }
}

private let requestFrame = UInt8(NGHTTP2_HEADERS.rawValue)
private let dataFrame = UInt8(NGHTTP2_DATA.rawValue)
private let resetFrame = UInt8(NGHTTP2_RST_STREAM.rawValue)
private let settingsFrame = UInt8(NGHTTP2_SETTINGS.rawValue)
private let priorityFrame = UInt8(NGHTTP2_PRIORITY.rawValue)
private let pingFrame = UInt8(NGHTTP2_PING.rawValue)
private let continuationFrame = UInt8(NGHTTP2_CONTINUATION.rawValue)
private let windowFrame = UInt8(NGHTTP2_WINDOW_UPDATE.rawValue)
private let ackFlag = UInt8(NGHTTP2_FLAG_ACK.rawValue)
private let endFlag = UInt8(NGHTTP2_FLAG_END_STREAM.rawValue)

private func state(_ context: UnsafeMutableRawPointer?) -> HTTP2State? {
  unsafe context.map { unsafe Unmanaged<HTTP2State>.fromOpaque($0).takeUnretainedValue() }
}

/// The header of a frame has arrived. Frames that advance no request use up the peer's budget.
private let beginFrame: nghttp2_on_begin_frame_callback = { _, frame, context in
  guard let frame = unsafe frame?.pointee, let state = unsafe state(context), !state.isOver else { return 0 }
  switch frame.type {
  case continuationFrame, windowFrame: break
  case requestFrame: state.checkIsOpen(frame.stream_id)
  case dataFrame:
    if frame.length == 0, frame.flags & endFlag == 0 { state.charge("too_many_empty_frames") }
  case priorityFrame where frame.stream_id == 0: state.objection = (.protocolError, "no stream has a priority")
  case pingFrame:
    if frame.flags & ackFlag != 0 { break }
    // A ping after some of an answer was sent is free, since clients measure their connection by pings while they read.
    if !state.hasSentSincePing { state.charge("too_many_pings") }
    state.hasSentSincePing = false
  case resetFrame:
    if state.streams[frame.stream_id]?.hasAnswer != true { state.charge("too_many_resets") }
  default: state.charge("too_many_idle_frames")
  }
  return 0
}

private let beginHeader: nghttp2_on_begin_headers_callback = { session, frame, context in
  guard let frame = unsafe frame, let state = unsafe state(context), !state.isOver,
    unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
  else { return 0 }
  let number = unsafe frame.pointee.hd.stream_id
  if !state.begin(number) {
    unsafe nghttp2_submit_rst_stream(session, 0, number, HTTP2ErrorCode.refusedStream.rawValue)
  }
  return 0
}

private let takeField: nghttp2_on_header_callback = { _, frame, name, nameCount, value, valueCount, _, context in
  guard let frame = unsafe frame, let name = unsafe name, let value = unsafe value, let state = unsafe state(context),
    !state.isOver, let stream = state.streams[unsafe frame.pointee.hd.stream_id]
  else { return 0 }
  let size = nameCount + valueCount + 32
  guard stream.request == .headerComes, stream.fields.size + size <= state.limits.headerSize else {
    stream.fields.isCutShort = true
    stream.leftOut += size
    guard stream.leftOut > state.limits.headerExcess else { return 0 }
    // A few bytes can name a long field thousands of times. The pause ends the connection, since nothing is read after
    // it.
    state.objection = (.enhanceYourCalm, "header_too_long")
    return Int32(NGHTTP2_ERR_PAUSE.rawValue)
  }
  unsafe stream.fields.add(
    name: UnsafeBufferPointer(start: name, count: nameCount),
    value: UnsafeBufferPointer(start: value, count: valueCount))
  return 0
}

private let takeBody: nghttp2_on_data_chunk_recv_callback = { session, _, number, bytes, count, context in
  guard let bytes = unsafe bytes, let state = unsafe state(context) else { return 0 }
  guard !state.isOver, let stream = state.streams[number] else {
    unsafe nghttp2_session_consume_connection(session, count)
    return 0
  }
  stream.unread += count
  state.events.append(.body(stream: number, unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))))
  return 0
}

/// A frame is complete; a header frame is so with its continuations.
private let endFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
  guard let frame = unsafe frame, let state = unsafe state(context), !state.isOver else { return 0 }
  let head = unsafe frame.pointee.hd
  if head.type == settingsFrame { state.hasGreeted = true }
  guard let stream = state.streams[head.stream_id] else { return 0 }
  let ends = head.flags & endFlag != 0
  let isHeader = head.type == requestFrame && stream.request == .headerComes
  if ends { stream.request = .complete } else if isHeader { stream.request = .bodyComes }
  if isHeader {
    state.events.append(.request(stream: head.stream_id, stream.fields, ends: ends))
    stream.fields = HeaderList()
  } else if ends, head.type == requestFrame || head.type == dataFrame {
    state.events.append(.ended(stream: head.stream_id))
  }
  return 0
}

/// A reset that the peer provokes costs as much of its budget as one that it sends. And when an answer is complete
/// before its request is, the stream is reset, because the rest of the request is useless.
private let sentFrame: nghttp2_on_frame_send_callback = { session, frame, context in
  guard let head = unsafe frame?.pointee.hd, let state = unsafe state(context),
    let stream = state.streams[head.stream_id]
  else { return 0 }
  if head.type == resetFrame {
    state.noteReset(head.stream_id)
    if !stream.hasAnswer, !state.isOver { state.charge("too_many_resets") }
  } else if head.flags & endFlag != 0, head.type == requestFrame || head.type == dataFrame, stream.request != .complete
  {
    unsafe nghttp2_submit_rst_stream(session, 0, head.stream_id, HTTP2ErrorCode.noError.rawValue)
  }
  return 0
}

private let closeStream: nghttp2_on_stream_close_callback = { session, number, code, context in
  guard let state = unsafe state(context), let stream = state.streams.end(number) else { return 0 }
  state.noteEnd(number)
  // Unread bytes of this stream no longer occupy the window that all streams share.
  if stream.unread > 0 { unsafe nghttp2_session_consume_connection(session, stream.unread) }
  if stream.request != .headerComes { state.events.append(.closed(stream: number, code: code)) }
  return 0
}

/// Hands nghttp2 the next bytes of an answer's body.
let provideBody: nghttp2_data_source_read_callback = { session, number, room, roomCount, flags, _, context in
  guard let room = unsafe room, let flags = unsafe flags, let state = unsafe state(context),
    let stream = state.streams[number]
  else { return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
  var place = unsafe room
  let count = stream.waiting.take(roomCount) { piece in
    unsafe piece.withUnsafeBufferPointer { piece in
      guard let start = piece.baseAddress else { return }
      unsafe place.update(from: start, count: piece.count)
      unsafe place += piece.count
    }
  }
  if count > 0 {
    state.hasSentSincePing = true
    state.events.append(.sent(stream: number, count))
  }
  guard stream.waiting.count == 0 else { return count }
  if case .complete(let trailer) = stream.answer {
    unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    if trailer.count > 0 {
      unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
      unsafe trailer.withFields { fields, count in _ = unsafe nghttp2_submit_trailer(session, number, fields, count) }
    }
  } else if count == 0 {
    stream.isDeferred = true
    return ssize_t(NGHTTP2_ERR_DEFERRED.rawValue)
  }
  return count
}
