/// What a request is answered with.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// What `Exchange.nextBytes` gives, until it says that nothing follows.
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

  /// A sentence for people.
  package init(_ status: Int, text: String, _ headers: [(name: String, value: String)] = []) {
    self.init(
      status, [("content-type", "text/plain; charset=utf-8")] + headers, body: .bytes(Array((text + "\n").utf8)))
  }

  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Sets a header unless the response has it.
  package mutating func setDefault(_ name: String, _ value: String) {
    if self[name] == nil { headers.append((name, value)) }
  }

  /// Lets go of a body that the server has.
  mutating func forgetBody() {
    if case .bytes = body { body = .bytes([]) }
  }
}

/// One request and its response: a state machine that the server drives and that moves no bytes itself.
package protocol Exchange: AnyObject {
  /// Takes bytes of the body, and returns how many: fewer than there are when it cannot take more now. Then
  /// `wantsBody` says when it can.
  func take(_ bytes: ArraySlice<UInt8>) -> Int
  /// The body has ended.
  func endBody()
  /// Called when something has changed: the response is there, or bytes of it, or the body is wanted again.
  var onChange: () -> Void { get set }
  /// Whether it takes bytes of the body.
  var wantsBody: Bool { get }
  /// The response, once it is decided.
  var response: HTTPResponse? { get }
  /// The next bytes of a streamed response, at most so many.
  func nextBytes(_ most: Int) -> StreamedBytes
  /// The server has copied the response, and sends what it has.
  func forgetBody()
  /// The caller has gone, or all has been sent: the last call.
  func close(wasComplete: Bool)
}

package enum StreamedBytes: Equatable {
  case bytes([UInt8])
  /// Nothing now: the server is told when there is.
  case wait
  case end
}

/// A request that is answered without looking at its body.
package final class AnsweredExchange: Exchange {
  package let response: HTTPResponse?
  package var onChange: () -> Void = {}
  private var bytesIn = 0
  private var finished: ((_ wasComplete: Bool, _ bytesIn: Int) -> Void)?

  /// - Parameter finished: called once, when the request is over, with how much of its body came.
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
  /// Such a response is short, or one copy for all.
  package func forgetBody() {}

  package func close(wasComplete: Bool) {
    finished?(wasComplete, bytesIn)
    finished = nil
  }
}
