/// Messages that links or peers did not accept at once: kept in order, up to a number of bytes for each.
struct Outboxes<Destination: Hashable> {
  private var waiting: [Destination: Box] = [:]
  private var byteCount = 0
  private let limit: Int
  private let streamLimit: Int
  private let totalLimit: Int

  private struct Box {
    var frames: [EnvelopeFrames] = []
    var first = 0
    var byteCount = 0
    /// The bytes of streams that have come since the destination stopped reading, by the account of their sender.
    var ofStreams: [UInt64: Int] = [:]
    var ofAllStreams = 0
  }

  init(bytesEach limit: Int, ofStreams streamLimit: Int = .max, together totalLimit: Int = .max) {
    self.limit = limit
    self.streamLimit = streamLimit
    self.totalLimit = totalLimit
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether messages for `destination` wait, so that later ones have to wait behind them.
  func holds(_ destination: Destination) -> Bool { !waiting.isEmpty && waiting[destination] != nil }

  /// How many bytes wait for one destination.
  func byteCount(for destination: Destination) -> Int { waiting[destination]?.byteCount ?? 0 }

  /// Counts what a stream wants to add for a destination that does not read; false when there is no room for it.
  /// Streams have a part of the room, of which no sender may take more than is still free.
  mutating func admits(_ count: Int, for destination: Destination, from account: UInt64) -> Bool {
    guard let box = waiting[destination] else { return true }
    let own = box.ofStreams[account] ?? 0
    guard KeyAccount.mayTake(count, own: own, of: streamLimit, taken: box.ofAllStreams) else { return false }
    waiting[destination]?.ofStreams[account] = own + count
    waiting[destination]?.ofAllStreams += count
    return true
  }

  /// Keeps frames for later; false when the destination, or all destinations together, have too much waiting already.
  mutating func add(_ frames: EnvelopeFrames, for destination: Destination) -> Bool {
    let count = frames.byteCount
    let own = byteCount(for: destination)
    guard own + count <= limit, KeyAccount.mayTake(count, own: own, of: totalLimit, taken: byteCount) else {
      return false
    }
    byteCount += count
    waiting[destination, default: Box()].frames.append(frames)
    waiting[destination]?.byteCount += count
    return true
  }

  mutating func drop(_ destination: Destination) {
    if let box = waiting.removeValue(forKey: destination) { byteCount -= box.byteCount }
  }

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
        byteCount -= frames.byteCount
      case .wouldBlock:
        if box.first > 1024 || box.first > box.frames.count / 2 {
          box.frames.removeFirst(box.first)
          box.first = 0
        }
        waiting[destination] = box
        return true
      case .unreachable:
        byteCount -= box.byteCount
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
