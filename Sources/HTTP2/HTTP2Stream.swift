/// What a connection keeps of one request and its answer.
final class HTTP2Stream {
  let number: Int32
  /// The request's fields, until its header is complete.
  var fields = HeaderList()
  /// The request's header is complete: fields that follow are a trailer's, which nobody reads.
  var hasRequest = false
  /// The size of fields that were not kept, the trailer's among them.
  var leftOut = 0
  /// The request is complete.
  var hasEnded = false
  /// Bytes of the request's body that have been passed on and not been consumed.
  var unread = 0
  var hasAnswer = false
  /// The answer's body, as far as it waits to be sent.
  var waiting = ByteQueue()
  /// nil while more of the answer's body may follow.
  var trailer: HeaderList?
  /// nghttp2 has asked for bytes when there were none.
  var isDeferred = false

  init(_ number: Int32) {
    self.number = number
  }
}
