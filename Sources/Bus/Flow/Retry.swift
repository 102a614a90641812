internal import Base
package import RPC

extension Duration {
  /// This pause, doubled for each try so far, and up to a fifth longer or shorter, so that calls that failed together
  /// are not tried again together.
  func backedOff(after attempts: Int, using generator: inout SeededGenerator) -> Duration {
    self * (1 << min(attempts, 16)) * Double.random(in: 0.8...1.2, using: &generator)
  }
}

extension Envelope {
  /// How long the answering side asks the caller to wait: the `retry-after-ms` of its metadata.
  var pushback: Duration {
    guard let text = extra?.metadata["retry-after-ms"], let milliseconds = Int64(text) else { return .zero }
    return .milliseconds(min(max(0, milliseconds), 60_000))
  }

  /// How many more attempts the call has, as far as its status says so.
  var attemptsLeft: Int? { extra?.metadata.attemptsLeft }
}

extension Metadata {
  /// How many more attempts a call has that ended `UNAVAILABLE` after a worker had it, as its gateway says. A caller
  /// that repeats the call goes on from there, so that all of them together are not more than one budget.
  package var attemptsLeft: Int? {
    get { self[Self.attemptsLeftKey].flatMap { Int($0) } }
    set {
      removeAll(Self.attemptsLeftKey)
      if let newValue { appendUnchecked(key: Self.attemptsLeftKey, value: Array(String(newValue).utf8)) }
    }
  }

  private static let attemptsLeftKey = "attempts-left"
}
