/// An event on a connection.
package enum HTTP2Event: Equatable, Sendable {
  /// The header of a request is complete. `ends`: the request has no body.
  case request(stream: Int32, HeaderList, ends: Bool)
  /// The next bytes of a request's body, which count as unread until `consume`.
  case body(stream: Int32, [UInt8])
  /// A request's body is complete.
  case ended(stream: Int32)
  /// This many bytes of an answer's body have been handed out to be sent.
  case sent(stream: Int32, Int)
  /// The stream is over: both sides have finished (code 0), or one of them has reset it.
  case closed(stream: Int32, code: UInt32)

  package var stream: Int32 {
    switch self {
    case .request(let stream, _, _), .body(let stream, _), .ended(let stream), .sent(let stream, _),
      .closed(let stream, _):
      stream
    }
  }
}

/// Why a stream or a connection ends, by RFC 9113's numbers.
package enum HTTP2ErrorCode: UInt32, Sendable {
  case noError = 0
  case protocolError = 1
  case internalError = 2
  case streamClosed = 5
  case refusedStream = 7
  case cancel = 8
  case enhanceYourCalm = 11
}
