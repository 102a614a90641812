internal import Base
internal import Synchronization

/// Prints what is being measured whenever nothing was printed for ten seconds.
///
/// A thread of its own does so: a measurement can keep all of Swift's threads busy.
final class Progress: Sendable {
  private static let longestSilence = Duration.seconds(10)

  private struct State {
    var step: String
    var beganAt: MonotonicTime
    var printedAt: MonotonicTime
  }

  private let state: Mutex<State>

  init(_ step: String) {
    let now = Clock.system.monotonic
    state = Mutex(State(step: step, beganAt: now, printedAt: now))
    NativeThread.start(name: "progress", stackBytes: 256 << 10) { [weak self] in
      while let pause = self?.showIfSilent() { NativeThread.sleep(for: pause) }
    }
  }

  /// Names what is measured from now on.
  func begin(_ step: String) {
    state.withLock {
      $0.step = step
      $0.beganAt = Clock.system.monotonic
    }
  }

  /// Records that something else was printed.
  func printedElsewhere() { state.withLock { $0.printedAt = Clock.system.monotonic } }

  /// Returns how long the silence may still last.
  private func showIfSilent() -> Duration {
    let now = Clock.system.monotonic
    let (line, pause) = state.withLock { state -> (String?, Duration) in
      let silence = now - state.printedAt
      guard silence >= Self.longestSilence else { return (nil, Self.longestSilence - silence) }
      state.printedAt = now
      return ("… \(state.step): \((now - state.beganAt).wholeMilliseconds / 1000) s", Self.longestSilence)
    }
    if let line {
      print(line)
      Lines.flush()
    }
    return pause
  }
}
