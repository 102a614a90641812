/// Bounds how many combining marks a text has in a row, like Unicode's Stream-Safe Text Format (UAX #15).
///
/// To compare or hash a text, Swift sorts the marks behind each letter by insertion: 50,000 of them take three seconds,
/// and twice as many four times as long. No language puts more than a few there.
public enum StreamSafeText {
  /// The bound of the Stream-Safe Text Format.
  public static let mostMarks = 30

  public static let requirement = "text has at most \(mostMarks) combining marks in a row"

  /// The fewest bytes of a run of marks that is too long: each mark has at least two in UTF-8.
  private static let shortestForbidden = (mostMarks + 1) * 2

  public static func holds(_ text: String) -> Bool { holds(text.utf8.span) }

  /// - Parameter text: UTF-8; bytes that are not part of a character do not count as marks.
  public static func holds(_ text: Span<UInt8>) -> Bool {
    // Checks one place in each stretch of this length, since a run that is too long covers at least one of them.
    var place = shortestForbidden - 1
    while place < text.count {
      var first = start(ofCharacterAt: place, in: text)
      var end = first
      guard skipMark(text, &end) else {
        place = first + shortestForbidden
        continue
      }
      var marks = 1
      while marks <= mostMarks, end < text.count, skipMark(text, &end) { marks += 1 }
      while marks <= mostMarks, stepBackOverMark(text, &first) { marks += 1 }
      guard marks <= mostMarks else { return false }
      place = end + shortestForbidden
    }
    return true
  }

  /// The text without the marks beyond the bound; nil when it has none.
  public static func limited(_ text: String) -> String? {
    guard !holds(text) else { return nil }
    var kept = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if marks <= mostMarks { kept.append(scalar) }
    }
    return String(kept)
  }

  /// Moves past the character at `place` if it is a mark.
  private static func skipMark(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    let length = length(from: text[place])
    guard length > 1, place + length <= text.count, let scalar = scalar(in: text, at: place, length), isMark(scalar)
    else { return false }
    place += length
    return true
  }

  /// Moves to the character before `place` if that is a mark.
  private static func stepBackOverMark(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    guard place > 0 else { return false }
    let before = start(ofCharacterAt: place - 1, in: text)
    var end = before
    guard skipMark(text, &end), end == place else { return false }
    place = before
    return true
  }

  private static func start(ofCharacterAt place: Int, in text: Span<UInt8>) -> Int {
    var start = place
    while start > 0, place - start < 3, isContinuation(text[start]) { start -= 1 }
    return start
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: false
    // Three Tibetan vowels are not marks by their class, but are sorted as the two marks that they consist of.
    case 0xF73, 0xF75, 0xF81: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// nil when the bytes are not a character.
  private static func scalar(in text: Span<UInt8>, at place: Int, _ length: Int) -> Unicode.Scalar? {
    var value = UInt32(text[place]) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(text[place + offset] & 0x3F) }
    return Unicode.Scalar(value)
  }

  private static func length(from lead: UInt8) -> Int {
    switch lead {
    case 0..<0x80: 1
    case 0x80..<0xE0: 2
    case 0xE0..<0xF0: 3
    default: 4
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
