internal import Synchronization

/// How many items of an upload have an answer so far.
final class UploadCount: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
