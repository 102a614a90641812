internal import Base

/// Prints what is being measured when nothing was printed for ten seconds.
struct Progress {
  private var lastSaid = Clock.system.monotonic

  mutating func show(_ what: String) {
    guard Clock.system.monotonic - lastSaid >= .seconds(10) else { return }
    print("… \(what)")
    said()
    Lines.flush()
  }

  /// Records that something else was printed.
  mutating func said() { lastSaid = Clock.system.monotonic }
}
