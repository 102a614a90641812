/// Cuts a stream of bytes into lines of text, of a bounded length.
package struct LineSplitter: Sendable {
  private let longest: Int
  private var pending: [UInt8] = []

  package init(longest: Int = 64 << 10) {
    self.longest = longest
  }

  /// The lines that `bytes` complete. A line that is too long is returned in pieces.
  package mutating func lines(completedBy bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == 0x0A {
        lines.append(take())
      } else {
        pending.append(byte)
        if pending.count == longest { lines.append(take()) }
      }
    }
    return lines
  }

  /// The text after the last line feed; nil when there is none.
  package mutating func rest() -> String? {
    pending.isEmpty ? nil : take()
  }

  private mutating func take() -> String {
    if pending.last == 0x0D { pending.removeLast() }
    defer { pending.removeAll(keepingCapacity: true) }
    return String(decoding: pending, as: UTF8.self)
  }
}
