/// An event that happens once, and that tasks wait for.
package final class Signal: Sendable {
  private let stream = AsyncStream.makeStream(of: Void.self)

  package init() {}

  package func set() { stream.continuation.finish() }

  package func wait() async { for await _ in stream.stream {} }
}
