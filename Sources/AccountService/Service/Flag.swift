internal import Synchronization

/// Whether something was done, for code that runs after the closure which does it.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .acquiring) }

  func set() { state.store(true, ordering: .releasing) }
}
