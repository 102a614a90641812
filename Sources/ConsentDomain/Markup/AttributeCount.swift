/// How many attributes a tag may have at most, whatever the text before it was.
///
/// Where a tag begins depends on comments, scripts and quotes before it, which only the parser can judge. So every `<`
/// before a letter is taken for the beginning of a tag, and all these tags are read at once: for each state that
/// reading a tag can be in, the pass remembers the most attributes that any of them has gathered. That is never less
/// than the parser will find, and takes time that grows with the text's length alone.
struct AttributeCount {
  /// The states of the HTML standard's tokenizer inside a tag.
  private enum State: Int, CaseIterable {
    case name, beforeName, attributeName, afterName, beforeValue, doubleQuoted, singleQuoted, unquoted, afterQuoted
  }

  /// For each state the most attributes of a tag that is in it; less than zero when none is.
  private var counts = InlineArray<9, Int>(repeating: -1)
  private var isAnyOpen = false

  /// Whether a tag has more attributes than `bound`.
  ///
  /// - Parameter isCounted: whether a tag is one that counts; gets the place of its name.
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

  /// Whether what stands ahead of a letter makes it the first one of a tag's name.
  private static func begins(_ bytes: [UInt8], before index: Int) -> Bool {
    guard index > 0 else { return false }
    if bytes[index - 1] == UInt8(ascii: "<") { return true }
    return bytes[index - 1] == UInt8(ascii: "/") && index > 1 && bytes[index - 2] == UInt8(ascii: "<")
  }

  private mutating func begin() {
    counts[State.name.rawValue] = max(counts[State.name.rawValue], 0)
    isAnyOpen = true
  }

  /// Takes a byte of all tags that are open; gives the most attributes that one of them has.
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

  /// Where a byte leads, and whether an attribute begins with it; nil at the tag's end.
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
