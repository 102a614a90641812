/// What a connection keeps of one request and its answer.
final class HTTP2Stream {
  let number: Int32
  var request = Request.header
  var answer = Answer.none
  /// The request's fields, until its header is complete.
  var fields = HeaderList()
  /// The size of fields that were not kept, the trailer's among them.
  var leftOut = 0
  /// Bytes of the request's body that have been passed on and not been consumed.
  var unread = 0
  /// The answer's body, as far as it waits to be sent.
  var waiting = ByteQueue()
  /// nghttp2 has asked for bytes when there were none.
  var isDeferred = false

  /// How much of the request has come.
  enum Request {
    /// Its header comes.
    case header
    /// Its body comes, and a trailer, which nobody reads.
    case body
    case complete
  }

  /// How much of the answer was handed over.
  enum Answer {
    case none
    /// Its header; more of its body may follow.
    case body
    /// All of it, with this trailer.
    case complete(trailer: HeaderList)
  }

  init(_ number: Int32) {
    self.number = number
  }

  var hasAnswer: Bool { if case .none = answer { false } else { true } }

  /// Whether the answer may go on.
  var takesBody: Bool { if case .body = answer { true } else { false } }
}
