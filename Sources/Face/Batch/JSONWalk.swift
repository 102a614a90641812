internal import Base

/// Finds a value in JSON without parsing the rest into values. The JSON is well formed, since this process wrote it.
enum JSONWalk {
  /// More levels than any message has.
  private static let deepest = 1_000

  /// The value at a path; nil when there is none. For a field that JSON omits because it has its default, that default.
  static func value(at path: AnswerPath, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var parser = JSONParser(bytes, deepest: deepest)
    for (number, step) in path.steps.enumerated() {
      let isThere =
        switch step {
        case .member(let name): (try? enter(name, &parser)) ?? false
        case .element(let index): (try? enter(index, &parser)) ?? false
        }
      // Only the last step may lead to an omitted field: if a message is absent, nothing inside it has a value.
      guard isThere else { return number == path.steps.count - 1 ? path.whenLeftOut?[...] : nil }
    }
    let start = parser.offset
    guard (try? parser.skip()) != nil else { return nil }
    return bytes[start..<parser.offset]
  }

  private static func enter(_ member: String, _ parser: inout JSONParser) throws(JSONError) -> Bool {
    try parser.beginObject()
    while let name = try parser.nextName() {
      if name == member { return true }
      try parser.skip()
    }
    return false
  }

  private static func enter(_ element: Int, _ parser: inout JSONParser) throws(JSONError) -> Bool {
    try parser.beginArray()
    for _ in 0..<element {
      guard try parser.nextElement() else { return false }
      try parser.skip()
    }
    return try parser.nextElement()
  }
}
