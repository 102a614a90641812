internal import RPC
internal import Synchronization
internal import Wire

/// Ends a stream of answers that has fallen silent: a process that stands still ends none, and the bus takes a while to
/// find out.
final class SilenceWatchdog: Sendable {
  private let hasHeard = Atomic(false)
  private let watching: Mutex<Task<Void, Never>?> = Mutex(nil)
  private let end: @Sendable () -> Void
  private let patience: Duration

  /// Watches from the first message on, for which a stream may wait as long as nobody serves it.
  init(_ stream: ResponseStream<some Message>, _ patience: Duration) {
    end = { stream.cancel() }
    self.patience = patience
  }

  /// A message has come.
  func hear() {
    guard !hasHeard.exchange(true, ordering: .relaxed) else { return }
    watching.withLock { watching in
      guard watching == nil else { return }
      watching = Task { await watch() }
    }
  }

  private func watch() async {
    while hasHeard.exchange(false, ordering: .relaxed) {
      guard (try? await Task.sleep(for: patience)) != nil else { return }
    }
    end()
  }

  func stop() { watching.withLock { $0 }?.cancel() }
}
