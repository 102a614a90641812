/// One direction of a call, as its sender sees it: messages go in, DATA chunks come out as far as the window allows.
///
/// Messages stand in the stream one after another, each behind its length in four bytes, most significant first. So a
/// chunk may hold many small messages or a part of a big one.
package struct StreamSender: Sendable {
  private var waiting: [UInt8] = []
  private var firstWaiting = 0
  /// The offset of the first byte that was not sent.
  package private(set) var offset: UInt64 = 0
  package private(set) var window: UInt64 = BusLimits.initialWindow

  package init() {}

  /// How many bytes wait for the window.
  package var backlog: Int { waiting.count - firstWaiting }

  package mutating func append(message: [UInt8]) {
    let length = UInt32(message.count)
    // Asking for room again and again would copy what waits each time.
    if waiting.isEmpty { waiting.reserveCapacity(4 + message.count) }
    waiting.append(UInt8(truncatingIfNeeded: length >> 24))
    waiting.append(UInt8(truncatingIfNeeded: length >> 16))
    waiting.append(UInt8(truncatingIfNeeded: length >> 8))
    waiting.append(UInt8(truncatingIfNeeded: length))
    waiting.append(contentsOf: message)
  }

  /// Takes a WINDOW. Offsets are absolute, so one that comes late or twice changes nothing.
  package mutating func extend(window offset: UInt64) {
    window = max(window, offset)
  }

  /// The next chunk that may be sent, with its offset; nil when nothing waits or the window is closed.
  package mutating func nextChunk() -> (offset: UInt64, bytes: [UInt8])? {
    let allowed = Int(clamping: window - offset)
    let count = min(backlog, allowed, BusLimits.chunk)
    guard count > 0 else { return nil }
    let start = offset
    let bytes: [UInt8]
    if firstWaiting == 0, count == waiting.count {
      bytes = waiting
      waiting = []
    } else {
      bytes = Array(waiting[firstWaiting..<firstWaiting + count])
      firstWaiting += count
      forgetSent()
    }
    offset += UInt64(count)
    return (start, bytes)
  }

  private mutating func forgetSent() {
    // Moving the rest to the front only when most has gone keeps the cost of a big message linear.
    guard 2 * firstWaiting >= waiting.count else { return }
    waiting.removeFirst(firstWaiting)
    firstWaiting = 0
  }
}
