/// Messages in their form on the wire: each behind its length in four bytes, most significant first. Each piece holds
/// as many whole messages as fit into a chunk, or one message that is larger.
package struct MessageRun: Sendable {
  package private(set) var pieces: [[UInt8]] = []
  package private(set) var byteCount = 0
  package private(set) var largestMessage = 0

  package init() {}

  package init(_ message: [UInt8]) { append(message) }

  /// - Parameter count: the number of bytes to reserve memory for.
  package mutating func append(_ message: [UInt8], reserving count: Int = 0) {
    let weight = Self.prefix + message.count
    let last = pieces.count - 1
    if last < 0 || pieces[last].count + weight > BusLimits.chunk {
      pieces.append([])
      // Growing step by step would copy the earlier bytes each time.
      pieces[last + 1].reserveCapacity(max(weight, last < 0 ? min(count, BusLimits.chunk) : BusLimits.chunk))
    }
    Self.write(message, to: &pieces[pieces.count - 1])
    byteCount += weight
    largestMessage = max(largestMessage, message.count)
  }

  private static func write(_ message: [UInt8], to piece: inout [UInt8]) {
    let length = UInt32(message.count)
    piece.append(UInt8(truncatingIfNeeded: length >> 24))
    piece.append(UInt8(truncatingIfNeeded: length >> 16))
    piece.append(UInt8(truncatingIfNeeded: length >> 8))
    piece.append(UInt8(truncatingIfNeeded: length))
    piece.append(contentsOf: message)
  }

  private static let prefix = 4
}
