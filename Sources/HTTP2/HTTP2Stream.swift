internal import Base

/// What a connection keeps of one request and its answer.
final class HTTP2Stream {
  let number: Int32
  var request = Request.headerComes
  var answer = Answer.awaited
  /// The request's fields, until its header is complete.
  var fields = HeaderList(room: 512)
  /// The size, as HTTP/2 counts it, of the fields of header and trailer that were received and dropped.
  var leftOut = 0
  /// Bytes of the request's body that were passed on as events and have not been consumed.
  var unread = 0
  /// The part of the answer's body that waits to be sent.
  var waiting = ByteQueue()
  /// Whether nghttp2 has asked for bytes when there were none, and must be told when there are.
  var isDeferred = false

  /// Which part of the request has still to arrive.
  enum Request {
    case headerComes
    /// The header is complete. A body may follow, and a trailer, which is ignored.
    case bodyComes
    case complete
  }

  /// Which part of the answer has still to be handed over.
  enum Answer {
    case awaited
    /// It has begun: more of the body may follow, and a trailer does.
    case begun
    case complete(trailer: HeaderList)
  }

  init(_ number: Int32) {
    self.number = number
  }

  var hasAnswer: Bool { if case .awaited = answer { false } else { true } }

  /// Whether bytes may be added to the answer's body.
  var takesBody: Bool { if case .begun = answer { true } else { false } }
}
