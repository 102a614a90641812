/// A suspended task, which continues when this value is destroyed.
///
/// It cannot be copied, so the compiler checks what a `CheckedContinuation` checks at run time, at the price of an
/// object for every wait.
@safe struct WaitingTask: ~Copyable, Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  private init(_ continuation: UnsafeContinuation<Void, Never>) {
    unsafe self.continuation = continuation
  }

  deinit {
    unsafe continuation.resume()
  }

  /// Suspends the current task and passes it to `begin`, which stores it for the code that will resume it.
  static func suspend(_ begin: (consuming WaitingTask) -> Void) async {
    await unsafe withUnsafeContinuation { unsafe begin(WaitingTask($0)) }
  }

  consuming func resume() {}
}
