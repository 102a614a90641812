/// The streams of answers that have ended with OK and whose callers are being told so. A host that has no room for one
/// of their last envelopes tells the caller something else; then what was counted has to be put right.
struct EndedStreams: Sendable {
  struct Ended: Sendable {
    /// The caller's session, and the caller's number of the call.
    let caller: UInt64
    let call: UInt64
    let service: Int
    /// nil for a call that is not traced.
    let spanID: String?
  }

  private var waiting: [Ended] = []
  private var flushed: [Ended] = []

  mutating func note(_ ended: Ended) { waiting.append(ended) }

  /// What waits goes out. Until the next time it can be taken.
  mutating func flush() {
    if waiting.isEmpty, flushed.isEmpty { return }
    swap(&waiting, &flushed)
    waiting.removeAll(keepingCapacity: true)
  }

  /// Removes and returns a call whose end went out last; nil for any other.
  mutating func take(_ call: UInt64, of caller: UInt64) -> Ended? {
    guard let place = flushed.firstIndex(where: { $0.call == call && $0.caller == caller }) else { return nil }
    return flushed.remove(at: place)
  }
}
