internal import Base
internal import Face

/// Holds a request until it is known what was revoked, because its caller cannot be judged before that.
final class HeldExchange: Exchange {
  /// Makes the exchange that answers the request; nil once it has been called, or the caller has gone.
  private var open: (() -> any Exchange)?
  private var opened: (any Exchange)?
  private var hasBodyEnded = false
  var onChange: () -> Void = {}

  init(_ open: @escaping () -> any Exchange) {
    self.open = open
  }

  func release() {
    guard let exchange = open.take()?() else { return }
    opened = exchange
    exchange.onChange = { [weak self] in self?.onChange() }
    if hasBodyEnded { exchange.endBody() }
    onChange()
  }

  var wantsBody: Bool { opened?.wantsBody ?? false }
  var response: HTTPResponse? { opened?.response }

  func take(_ bytes: ArraySlice<UInt8>) -> Int { opened?.take(bytes) ?? 0 }

  func endBody() {
    hasBodyEnded = true
    opened?.endBody()
  }

  func nextBytes(_ most: Int) -> StreamedBytes { opened?.nextBytes(most) ?? .wait }

  func forgetBody() { opened?.forgetBody() }
  var trailers: [(name: String, value: String)] { opened?.trailers ?? [] }
  func check(at now: MonotonicTime) { opened?.check(at: now) }

  func close(wasComplete: Bool) {
    open = nil
    onChange = {}
    opened?.close(wasComplete: wasComplete)
  }
}
