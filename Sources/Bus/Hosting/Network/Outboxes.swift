internal import Base

/// Messages that links or peers did not accept at once: kept in order, up to a number of bytes for each.
///
/// All of them share a bound as well, of which no sharer, who may have several destinations, gets more than is still
/// free.
package struct Outboxes<Destination: Hashable, Sharer: Hashable> {
  private var waiting: [Destination: Box] = [:]
  /// How many bytes wait for the destinations of each sharer.
  private var shares: Shares<Sharer>
  private let limit: Int
  private let streamLimit: Int

  private struct Box {
    let sharer: Sharer
    var frames: [EnvelopeFrames] = []
    var first = 0
    var byteCount = 0
    /// The bytes of streams that have come since the destination stopped reading, by the account of their sender.
    var ofStreams: Shares<UInt64>
  }

  package init(bytesEach limit: Int, ofStreams streamLimit: Int = .max, together totalLimit: Int = .max) {
    self.limit = limit
    self.streamLimit = streamLimit
    shares = Shares(of: totalLimit)
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether messages for `destination` wait, so that later ones have to wait behind them.
  func holds(_ destination: Destination) -> Bool { !waiting.isEmpty && waiting[destination] != nil }

  /// How many bytes wait for one destination.
  func byteCount(for destination: Destination) -> Int { waiting[destination]?.byteCount ?? 0 }

  /// Counts bytes of a stream for a destination that does not read; false when there is no room for them. Streams have
  /// a part of the destination's room, of which no account may take more than is still free.
  mutating func admits(_ count: Int, for destination: Destination, from account: UInt64) -> Bool {
    waiting[destination]?.ofStreams.take(count, for: account) ?? true
  }

  /// Keeps frames for later; false when the destination, its sharer, or all destinations together have too much waiting
  /// already.
  ///
  /// - Parameter reserve: how many bytes of the room for all destinations this one must leave free.
  package mutating func add(
    _ frames: EnvelopeFrames, for destination: Destination, of sharer: Sharer, leaving reserve: Int = 0
  ) -> Bool {
    let count = frames.byteCount
    guard byteCount(for: destination) + count <= limit, shares.take(count, for: sharer, leaving: reserve) else {
      return false
    }
    let empty = Box(sharer: sharer, ofStreams: Shares(of: streamLimit))
    waiting[destination, default: empty].frames.append(frames)
    waiting[destination]?.byteCount += count
    return true
  }

  package mutating func drop(_ destination: Destination) {
    if let box = waiting.removeValue(forKey: destination) { shares.giveBack(box.byteCount, for: box.sharer) }
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
        shares.giveBack(frames.byteCount, for: box.sharer)
      case .wouldBlock:
        if box.first > 1024 || box.first > box.frames.count / 2 {
          box.frames.removeFirst(box.first)
          box.first = 0
        }
        waiting[destination] = box
        return true
      case .unreachable:
        shares.giveBack(box.byteCount, for: box.sharer)
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
