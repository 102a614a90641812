/// An upper bound on the attributes of any tag in a text, whatever stands before the tag.
///
/// Where a tag begins depends on comments, scripts and quotes before it, which only the parser can judge. So every `<`
/// before a letter is taken for the beginning of a tag, and all these tags are read in one pass: for each state that
/// reading a tag can be in, the pass keeps the highest number of attributes of any tag in that state. That number is
/// never lower than what the parser finds, and the time grows only with the length of the text.
struct AttributeCount {
  /// The states of the HTML standard's tokenizer inside a tag.
  private enum State: Int, CaseIterable {
    case name, beforeName, attributeName, afterName, beforeValue, doubleQuoted, singleQuoted, unquoted, afterQuoted
  }

  /// For each state, the highest number of attributes of a tag in it; negative if no tag is.
  private var counts = InlineArray<9, Int>(repeating: -1)
  private var isAnyOpen = false

  /// Whether a tag has more attributes than `bound`.
  ///
  /// - Parameter isCounted: whether a tag counts, by the index of its name.
  static func exceeds(_ bound: Int, in bytes: [UInt8], where isCounted: (Int) -> Bool = { _ in true }) -> Bool {
    var count = AttributeCount()
    for index in bytes.indices {
      if count.take(bytes[index]) > bound { return true }
      if bytes[index].isASCIILetter, begins(bytes, before: index), isCounted(index) {
        count.begin()
      }
    }
    return false
  }

  /// Whether a letter begins the name of a tag: `<` or `</` stands before it.
  private static func begins(_ bytes: [UInt8], before index: Int) -> Bool {
    guard index > 0 else { return false }
    if bytes[index - 1] == UInt8(ascii: "<") { return true }
    return bytes[index - 1] == UInt8(ascii: "/") && index > 1 && bytes[index - 2] == UInt8(ascii: "<")
  }

  private mutating func begin() {
    counts[State.name.rawValue] = max(counts[State.name.rawValue], 0)
    isAnyOpen = true
  }

  /// Advances all open tags by a byte; returns the highest number of attributes of any of them.
  private mutating func take(_ byte: UInt8) -> Int {
    guard isAnyOpen else { return 0 }
    var next = InlineArray<9, Int>(repeating: -1)
    var most = 0
    isAnyOpen = false
    for state in State.allCases where counts[state.rawValue] >= 0 {
      guard let (to, isNew) = Self.step(state, byte) else { continue }
      let count = counts[state.rawValue] + (isNew ? 1 : 0)
      next[to.rawValue] = max(next[to.rawValue], count)
      most = max(most, count)
      isAnyOpen = true
    }
    counts = next
    return most
  }

  /// The state after a byte, and whether the byte begins an attribute; nil at the tag's end.
  private static func step(_ state: State, _ byte: UInt8) -> (State, Bool)? {
    let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
    let isSlash = byte == UInt8(ascii: "/"), isEnd = byte == UInt8(ascii: ">"), isEqual = byte == UInt8(ascii: "=")
    switch state {
    case .doubleQuoted: return (byte == UInt8(ascii: "\"") ? .afterQuoted : .doubleQuoted, false)
    case .singleQuoted: return (byte == UInt8(ascii: "'") ? .afterQuoted : .singleQuoted, false)
    case _ where isEnd: return nil
    case .name: return (isSpace || isSlash ? .beforeName : .name, false)
    case .beforeName, .afterQuoted: return isSpace || isSlash ? (.beforeName, false) : (.attributeName, true)
    case .attributeName where isSpace: return (.afterName, false)
    case .afterName where isSpace: return (.afterName, false)
    case .attributeName, .afterName:
      if isSlash { return (.beforeName, false) }
      if isEqual { return (.beforeValue, false) }
      return (.attributeName, state == .afterName)
    case .beforeValue where isSpace: return (.beforeValue, false)
    case .beforeValue where byte == UInt8(ascii: "\""): return (.doubleQuoted, false)
    case .beforeValue where byte == UInt8(ascii: "'"): return (.singleQuoted, false)
    case .beforeValue: return (.unquoted, false)
    case .unquoted: return (isSpace ? .beforeName : .unquoted, false)
    }
  }
}
