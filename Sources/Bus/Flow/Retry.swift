internal import Base
internal import RPC

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
}
