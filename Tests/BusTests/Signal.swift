/// An event that happens once, and that tasks wait for.
final class Signal: Sendable {
  private let stream = AsyncStream.makeStream(of: Void.self)
  func set() { stream.continuation.finish() }
  func wait() async { for await _ in stream.stream {} }
}
