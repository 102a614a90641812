internal import Base

/// Finds a value in JSON without taking the rest apart. The JSON is well formed: it was written here.
enum JSONWalk {
  /// More than any message nests.
  private static let deepest = 1_000

  /// The value at a path; nil when it is not there, or left out because it has its default.
  static func value(at path: AnswerPath, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var parser = JSONParser(bytes, deepest: deepest)
    for (number, step) in path.steps.enumerated() {
      let isThere =
        switch step {
        case .member(let name): (try? enter(name, &parser)) ?? false
        case .element(let index): (try? enter(index, &parser)) ?? false
        }
      // Only the last may be left out: what is in an absent message is absent too.
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
