internal import Base

/// What a connection keeps of one request and its answer.
final class HTTP2Stream {
  let number: Int32
  var request = Request.headerComes
  var answer = Answer.awaited
  /// The request's fields, until its header is complete.
  var fields = HeaderList()
  /// The size, as HTTP/2 counts it, of the fields of header and trailer that were received and dropped.
  var leftOut = 0
  /// Bytes of the request's body that have been passed on and not been consumed.
  var unread = 0
  /// The answer's body, as far as it waits to be sent.
  var waiting = ByteQueue()
  /// nghttp2 has asked for bytes when there were none.
  var isDeferred = false

  /// What of the request is still to come.
  enum Request {
    case headerComes
    /// Its header is complete; a body may come, and a trailer, which nobody reads.
    case bodyComes
    case complete
  }

  /// What of the answer is still to be handed over.
  enum Answer {
    case awaited
    /// It has begun; more of its body may follow, and its trailer does.
    case begun
    case complete(trailer: HeaderList)
  }

  init(_ number: Int32) {
    self.number = number
  }

  var hasAnswer: Bool { if case .awaited = answer { false } else { true } }

  /// Whether the answer may go on.
  var takesBody: Bool { if case .begun = answer { true } else { false } }
}
