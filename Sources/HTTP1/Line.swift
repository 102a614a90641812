/// A line that ends with CR and LF. Neither may stand alone, since others might see the end of a line there.
enum Line {
  /// The line at `start`, which moves behind it; nil while it is incomplete.
  ///
  /// - Parameters:
  ///   - scanned: up to where no line ends; it is moved.
  ///   - most: the most bytes of the line.
  ///   - tooLong: thrown when it has more.
  static func next(
    in buffer: [UInt8], from start: inout Int, scanned: inout Int, most: Int, tooLong: @autoclosure () -> RequestFault
  ) throws(RequestFault) -> ArraySlice<UInt8>? {
    var place = max(start, scanned)
    defer { scanned = place }
    while place < buffer.count {
      let byte = buffer[place]
      if byte == 0x0A { throw .malformed("a line ends with CR and LF, and not with LF alone") }
      if byte == 0x0D {
        guard place + 1 < buffer.count else { return nil }
        guard buffer[place + 1] == 0x0A else { throw .malformed("a CR stands only before an LF") }
        defer { start = place + 2 }
        return buffer[start..<place]
      }
      place += 1
      if place - start > most { throw tooLong() }
    }
    return nil
  }
}
