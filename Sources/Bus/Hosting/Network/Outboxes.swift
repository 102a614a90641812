/// What links or peers did not take at once: kept in order, up to a number of bytes each.
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

  /// Whether something for `destination` waits, so that what comes now has to wait behind it.
  func holds(_ destination: Destination) -> Bool { !waiting.isEmpty && waiting[destination] != nil }

  /// Keeps frames for later; false when that is more than one destination may have waiting.
  mutating func add(_ frames: EnvelopeFrames, for destination: Destination) -> Bool {
    let count = frames.byteCount
    guard (waiting[destination]?.byteCount ?? 0) + count <= limit else { return false }
    waiting[destination, default: Box()].frames.append(frames)
    waiting[destination]?.byteCount += count
    return true
  }

  mutating func drop(_ destination: Destination) { waiting[destination] = nil }

  /// Tries again to send, until each destination refuses or has everything. The answer says which are gone.
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
  /// About what the frames occupy while they wait.
  var byteCount: Int { head.count + (payload?.count ?? 0) + 64 }
}
