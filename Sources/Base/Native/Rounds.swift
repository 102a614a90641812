internal import CSystem
internal import Glibc
internal import Synchronization

/// Pauses of what a process does again and again while nobody asks anything of it.
///
/// A task that sleeps by itself wakes four threads for one pause: one that has the timers, twice, and two of Swift's
/// pool. Here one thread ends all pauses, and those that need no exact time end together.
public final class Rounds: Sendable {
  public static let shared = Rounds()

  private let alarm: Int32
  private let begun = Clock.system.monotonic
  private let state = Mutex(State())

  private struct State {
    var pauses: [UInt64: Pause] = [:]
    var lastPause: UInt64 = 0
    /// Pauses that were cancelled before they began.
    var cancelled: Set<UInt64> = []
    var isRunning = false
    /// When the thread wakes by itself; nil if never.
    var wakesAt: MonotonicTime?
  }

  private struct Pause {
    let end: MonotonicTime
    let work: Work
  }

  private enum Work {
    case resume(CheckedContinuation<Void, any Error>)
    case look(@Sendable () -> Duration?)
  }

  private init() {
    alarm = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    precondition(alarm >= 0, "the system refused an eventfd: error \(errno)")
  }

  /// Waits for about `pause`. One of two seconds or more ends with others, up to a second earlier or later, and one of
  /// eight or more up to four.
  public static func wait(about pause: Duration) async throws { try await shared.wait(until: shared.end(of: pause)) }

  /// Waits for `pause`.
  public static func wait(exactly pause: Duration) async throws {
    try await shared.wait(until: Clock.system.monotonic + pause)
  }

  /// Calls `look` on the thread of the pauses, again and again, pausing for about as long as it returns, until it
  /// returns nil. It must neither block nor compute for long.
  public static func `repeat`(_ look: @escaping @Sendable () -> Duration?) { shared.take(.look(look), after: look()) }

  private func take(_ work: Work, after pause: Duration?) {
    guard let pause else { return }
    let end = end(of: pause)
    let number = state.withLock { state in
      state.lastPause += 1
      return state.lastPause
    }
    begin(Pause(end: end, work: work), as: number)
  }

  /// When a pause ends that begins now.
  private func end(of pause: Duration) -> MonotonicTime {
    begun + Self.end(of: pause, from: Clock.system.monotonic - begun)
  }

  /// When a pause ends, counted from the start of the process like its beginning.
  package static func end(of pause: Duration, from beginning: Duration) -> Duration {
    guard let step = steps.first(where: { pause >= $0 }) else { return beginning + pause }
    let length = step.wholeNanoseconds
    return .nanoseconds(((beginning + pause).wholeNanoseconds + length / 2) / length * length)
  }

  /// Each is a multiple of the next, so that long pauses end with short ones.
  private static let steps = [Duration.seconds(8), .seconds(2)]

  private func wait(until end: MonotonicTime) async throws {
    let number = state.withLock { state in
      state.lastPause += 1
      return state.lastPause
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Pause(end: end, work: .resume(continuation)), as: number)
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func begin(_ pause: Pause, as number: UInt64) {
    let (isCancelled, isFirst, isSooner) = state.withLock { state in
      if state.cancelled.contains(number) { return (true, false, false) }
      state.pauses[number] = pause
      let isSooner = state.wakesAt.map { pause.end < $0 } ?? true
      if isSooner { state.wakesAt = pause.end }
      defer { state.isRunning = true }
      return (false, !state.isRunning, isSooner)
    }
    if isCancelled, case .resume(let continuation) = pause.work { continuation.resume(throwing: CancellationError()) }
    if isFirst {
      NativeThread.start(name: "rounds", stackBytes: 256 << 10) { self.run() }
    } else if isSooner {
      _ = eventfd_write(alarm, 1)
    }
  }

  private func cancel(_ number: UInt64) {
    let pause = state.withLock { state in
      let pause = state.pauses.removeValue(forKey: number)
      if pause == nil { state.cancelled.insert(number) }
      return pause
    }
    if case .resume(let continuation)? = pause?.work { continuation.resume(throwing: CancellationError()) }
  }

  private func run() -> Never {
    while true {
      let now = Clock.system.monotonic
      let (due, next) = state.withLock { state in
        let due = state.pauses.filter { $0.value.end <= now }
        for number in due.keys { state.pauses[number] = nil }
        state.wakesAt = state.pauses.values.map(\.end).min()
        return (due.values, state.wakesAt)
      }
      for pause in due {
        switch pause.work {
        case .resume(let continuation): continuation.resume()
        case .look(let look): take(pause.work, after: look())
        }
      }
      if due.isEmpty { sleep(until: next) }
    }
  }

  private func sleep(until time: MonotonicTime?) {
    // Rounded up: a thread that wakes too early would find nothing to do.
    let milliseconds = time.map { (max(0, ($0 - Clock.system.monotonic).wholeNanoseconds) + 999_999) / 1_000_000 }
    var item = pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&item, 1, milliseconds.map { Int32(clamping: $0) } ?? -1) > 0 else { return }
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(alarm, &count)
  }
}
