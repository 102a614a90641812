/// Messages that links or peers did not accept at once: kept in order, up to a number of bytes for each.
struct Outboxes<Destination: Hashable> {
  private var waiting: [Destination: Box] = [:]
  private let limit: Int

  private struct Box {
    var frames: [EnvelopeFrames] = []
    var first = 0
    var byteCount = 0
  }

  init(bytesEach limit: Int) {
    self.limit = limit
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether messages for `destination` wait, so that later ones have to wait behind them.
  func holds(_ destination: Destination) -> Bool { !waiting.isEmpty && waiting[destination] != nil }

  /// Keeps frames for later; false when the destination has too much waiting already.
  mutating func add(_ frames: EnvelopeFrames, for destination: Destination) -> Bool {
    let count = frames.byteCount
    guard (waiting[destination]?.byteCount ?? 0) + count <= limit else { return false }
    waiting[destination, default: Box()].frames.append(frames)
    waiting[destination]?.byteCount += count
    return true
  }

  mutating func drop(_ destination: Destination) { waiting[destination] = nil }

  /// Tries again to send, until each destination refuses or has everything. Returns the destinations that are gone.
  mutating func retry(_ send: (EnvelopeFrames, Destination) -> SendOutcome) -> [Destination] {
    guard !waiting.isEmpty else { return [] }
    var gone: [Destination] = []
    for destination in Array(waiting.keys) {
      if !retry(destination, send) { gone.append(destination) }
    }
    return gone
  }

  /// False when the destination is gone.
  private mutating func retry(
    _ destination: Destination, _ send: (EnvelopeFrames, Destination) -> SendOutcome
  ) -> Bool {
    guard var box = waiting.removeValue(forKey: destination) else { return true }
    while box.first < box.frames.count {
      let frames = box.frames[box.first]
      switch send(frames, destination) {
      case .sent:
        box.first += 1
        box.byteCount -= frames.byteCount
      case .wouldBlock:
        if box.first > 1024 || box.first > box.frames.count / 2 {
          box.frames.removeFirst(box.first)
          box.first = 0
        }
        waiting[destination] = box
        return true
      case .unreachable:
        return false
      }
    }
    return true
  }
}

extension EnvelopeFrames {
  /// The approximate memory of waiting frames.
  var byteCount: Int { head.count + (payload?.count ?? 0) + 64 }
}
