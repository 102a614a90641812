internal import Base
internal import Face

/// A request whose caller cannot be judged before news of what was revoked has come. Then it is opened.
final class HeldExchange: Exchange {
  /// nil once it has been called, or never will be.
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

  func close(wasComplete: Bool) {
    open = nil
    onChange = {}
    opened?.close(wasComplete: wasComplete)
  }
}
