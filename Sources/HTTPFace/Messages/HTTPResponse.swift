package import Base

/// The response to a request.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The bytes that `Exchange.nextBytes` returns, until it says that nothing follows.
    case stream
  }

  package var status: Int
  package var headers: [(name: String, value: String)] = []
  package var body: Body

  package init(_ status: Int, _ headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with a sentence for people.
  package init(_ status: Int, text: String, _ headers: [(name: String, value: String)] = []) {
    self.init(
      status, [("content-type", "text/plain; charset=utf-8")] + headers, body: .bytes(Array((text + "\n").utf8)))
  }

  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Whether a response with this status never has a body.
  var isBodiless: Bool { status == 204 || status == 304 }

  /// The length of a body that is not streamed.
  var byteCount: Int { if case .bytes(let bytes) = body { bytes.count } else { 0 } }

  /// Sets a header unless the response has it.
  package mutating func setDefault(_ name: String, _ value: String) {
    if self[name] == nil { headers.append((name, value)) }
  }

  /// Releases a body that the server has copied.
  mutating func forgetBody() {
    if case .bytes = body { body = .bytes([]) }
  }
}

/// One request and its response: a state machine that the server drives, and that does no I/O itself.
package protocol Exchange: AnyObject {
  /// Takes bytes of the body, and returns how many. If it takes fewer than there are, `wantsBody` says when it can take
  /// more.
  func take(_ bytes: ArraySlice<UInt8>) -> Int
  /// The body has ended.
  func endBody()
  /// Called when there is something new: the response, bytes of it, or room for more of the body.
  var onChange: () -> Void { get set }
  /// Whether it can take bytes of the body now.
  var wantsBody: Bool { get }
  /// The response, once it is decided.
  var response: HTTPResponse? { get }
  /// The next bytes of a streamed response, at most `most`.
  func nextBytes(_ most: Int) -> StreamedBytes
  /// The server has copied the body of the response, so it need not be kept.
  func forgetBody()
  /// What is said behind a response's body, once that is complete.
  var trailers: [(name: String, value: String)] { get }
  /// Ends what takes too long. Called every few seconds.
  func check(at now: MonotonicTime)
  /// The caller has gone, or everything has been sent: the last call to the exchange.
  func close(wasComplete: Bool)
}

extension Exchange {
  package var trailers: [(name: String, value: String)] { [] }
  package func check(at now: MonotonicTime) {}
}

package enum StreamedBytes: Equatable {
  case bytes([UInt8])
  /// No bytes yet: `onChange` is called when there are some.
  case wait
  case end
  /// What follows is missing: the client must not take what it has for the whole.
  case broken
}

/// A request that is answered without looking at its body.
package final class AnsweredExchange: Exchange {
  package let response: HTTPResponse?
  package var onChange: () -> Void = {}
  private var bytesIn = 0
  private var finished: ((_ wasComplete: Bool, _ bytesIn: Int) -> Void)?

  /// - Parameter finished: called once when the request is over, with how many bytes of its body arrived.
  package init(_ response: HTTPResponse, finished: ((_ wasComplete: Bool, _ bytesIn: Int) -> Void)? = nil) {
    self.response = response
    self.finished = finished
  }

  package func take(_ bytes: ArraySlice<UInt8>) -> Int {
    bytesIn += bytes.count
    return bytes.count
  }

  package func endBody() {}
  package var wantsBody: Bool { true }
  package func nextBytes(_ most: Int) -> StreamedBytes { .end }
  /// The body is short, or shared by all such responses.
  package func forgetBody() {}

  package func close(wasComplete: Bool) {
    finished?(wasComplete, bytesIn)
    finished = nil
  }
}
