/// One direction of a call, at its receiver: DATA chunks go in, whole messages come out, the window moves on.
package struct StreamReceiver: Sendable {
  /// The beginning of a message that is not complete yet.
  private var buffer: [UInt8] = []
  /// The offset up to which bytes have arrived.
  package private(set) var received: UInt64 = 0
  /// The offset up to which the reader has taken messages.
  package private(set) var consumed: UInt64 = 0
  /// How far beyond the consumed bytes the sender may go.
  package private(set) var reach = BusLimits.initialWindow
  private var hadSenderAtEnd = false
  private var hadReaderAtEnd = false
  /// The window that was last sent to the sender.
  package private(set) var granted: UInt64 = BusLimits.initialWindow
  private let largestMessage: Int

  package init(largestMessage: Int = BusLimits.largestMessage) {
    self.largestMessage = largestMessage
  }

  package enum Violation: Error, Equatable {
    /// A chunk does not start where the previous one ended.
    case gap(expected: UInt64, found: UInt64)
    case windowExceeded(granted: UInt64, sent: UInt64)
    case messageTooLarge(length: Int, limit: Int)
    /// A WINDOW grants more beyond the bytes that have passed than is allowed.
    case windowTooFar(furthest: UInt64, asked: UInt64)
  }

  /// Takes a chunk and passes each message that it completes to `message`: mostly as a slice of the chunk, since an
  /// array for each message would be allocated by one thread and freed by another.
  package mutating func take(
    offset: UInt64, bytes: [UInt8], message: (ArraySlice<UInt8>) -> Void
  ) throws(Violation) {
    guard offset == received else { throw .gap(expected: received, found: offset) }
    let end = offset + UInt64(bytes.count)
    guard end <= granted else { throw .windowExceeded(granted: granted, sent: end) }
    received = end
    if received + reach / 4 > granted { hadSenderAtEnd = true }
    // Whole messages are read from the chunk; only incomplete ones wait in the buffer.
    var place = buffer.isEmpty ? 0 : try complete(from: bytes, message)
    while let length = Self.length(in: bytes, at: place) {
      try check(length)
      let start = place + Self.prefix
      guard bytes.count - start >= length else { break }
      message(bytes[start..<start + length])
      place = start + length
    }
    if place < bytes.count { buffer.append(contentsOf: bytes[place...]) }
    assert(buffer.count < Self.prefix + (pendingLength ?? 1), "a whole message does not wait")
    noteReaderAtEnd()
  }

  /// Takes the bytes that belong to the message in the buffer; returns where the next one begins.
  private mutating func complete(from bytes: [UInt8], _ message: (ArraySlice<UInt8>) -> Void) throws(Violation) -> Int {
    var place = 0
    while buffer.count < Self.prefix, place < bytes.count {
      buffer.append(bytes[place])
      place += 1
    }
    guard let length = pendingLength else { return place }
    try check(length)
    let count = min(Self.prefix + length - buffer.count, bytes.count - place)
    buffer.append(contentsOf: bytes[place..<place + count])
    guard buffer.count == Self.prefix + length else { return place + count }
    message(buffer[Self.prefix...])
    buffer = []
    return place + count
  }

  private func check(_ length: Int) throws(Violation) {
    guard length <= largestMessage else { throw .messageTooLarge(length: length, limit: largestMessage) }
  }

  /// Whether the bytes so far end in the middle of a message: if the stream ends here, it was cut off.
  package var isInsideMessage: Bool { !buffer.isEmpty }

  /// The reader has processed messages.
  package mutating func consume(_ count: ReadCount) {
    consumed += UInt64(count.bytes + count.messages * Self.prefix)
    assert(consumed <= received, "nobody reads what has not come")
    noteReaderAtEnd()
  }

  /// Notes whether the reader has read all that it can: it cannot read the incomplete message in the buffer.
  private mutating func noteReaderAtEnd() {
    if consumed + UInt64(buffer.count) == received { hadReaderAtEnd = true }
  }

  package mutating func consume(messageOf count: Int) {
    consume(ReadCount(bytes: count, messages: 1))
  }

  /// The WINDOW to send, if the window has moved far enough to be worth an envelope.
  ///
  /// - Parameter allowance: the budget for the window's growth.
  package mutating func nextWindow(growingBy allowance: inout WindowAllowance) -> UInt64? {
    grow(by: &allowance)
    var wanted = consumed + reach
    if let end = pendingEnd {
      // A message larger than the window must still arrive completely before it can be consumed. It arrives step by
      // step, so that no more of it is in transit than of other messages.
      wanted = max(wanted, min(end, received + reach))
    }
    guard
      wanted >= granted + reach / 2 || (isInsideMessage && received == granted && wanted > granted)
    else { return nil }
    assert(wanted > granted, "a window only moves on")
    assert(wanted <= received + BusLimits.furthestWindow, "a gateway ends a call for a window that goes too far")
    granted = wanted
    return wanted
  }

  /// How many bytes more than a window the receiver may have to keep: because it has granted more, or because the
  /// message that has begun is larger.
  package var excess: Int {
    let (end, window) = (max(granted, pendingEnd ?? 0), consumed + reach)
    return end > window ? Int(end - window) : 0
  }

  /// How far the window has grown beyond its first size.
  package var growth: UInt64 { reach - BusLimits.initialWindow }

  /// Grows the window when the sender had to stop, or nearly, while the reader had nothing left to read: then both wait
  /// for WINDOW to arrive, and a larger window bridges that time. A slow reader's window stays small, and so does a
  /// slow sender's.
  private mutating func grow(by allowance: inout WindowAllowance) {
    guard hadSenderAtEnd, hadReaderAtEnd, reach < BusLimits.largestWindow, allowance.take(reach) else { return }
    reach *= 2
    assert(reach <= BusLimits.largestWindow, "a window doubles up to its bound")
    hadSenderAtEnd = false
    hadReaderAtEnd = false
  }

  private static let prefix = 4

  private var pendingLength: Int? { Self.length(in: buffer, at: 0) }

  /// The offset at which the message in the buffer ends, once its length is known.
  private var pendingEnd: UInt64? {
    guard let length = pendingLength, length <= largestMessage else { return nil }
    return received - UInt64(buffer.count) + UInt64(Self.prefix + length)
  }

  /// The length at `place`; nil if it is incomplete.
  private static func length(in bytes: [UInt8], at place: Int) -> Int? {
    guard bytes.count - place >= prefix else { return nil }
    return Int(bytes[place]) << 24 | Int(bytes[place + 1]) << 16 | Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
  }
}
