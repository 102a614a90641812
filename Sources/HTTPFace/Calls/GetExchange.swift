internal import Base

/// A call whose request is in the address. It runs as soon as the head is read, like a call whose body has ended.
final class GetExchange: Exchange {
  private let call: CallExchange
  private let message: [UInt8]
  private var hasBegun = false

  init(_ call: CallExchange, message: [UInt8]) {
    self.call = call
    self.message = message
  }

  var onChange: () -> Void {
    get { call.onChange }
    set { call.onChange = newValue }
  }

  var wantsBody: Bool { true }
  var response: HTTPResponse? { call.response }

  /// A GET has no body; if one is sent, it is ignored.
  func take(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count }

  func endBody() {
    guard !hasBegun else { return }
    hasBegun = true
    _ = call.take(message[...])
    call.endBody()
  }

  func nextBytes(_ most: Int) -> StreamedBytes { call.nextBytes(most) }
  func forgetBody() { call.forgetBody() }
  func check(at now: MonotonicTime) { call.check(at: now) }
  func close(wasComplete: Bool) { call.close(wasComplete: wasComplete) }
}
