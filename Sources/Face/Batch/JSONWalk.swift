internal import Base

/// Finds a value in JSON without taking the rest apart. The JSON is well formed: it was written here.
struct JSONWalk {
  private let bytes: [UInt8]
  private var place = 0

  /// The value at a path; nil when it is not there, or left out because it has its default.
  static func value(at path: AnswerPath, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var walk = JSONWalk(bytes: bytes)
    for (number, step) in path.steps.enumerated() {
      let isThere =
        switch step {
        case .member(let name): walk.enterMember(name)
        case .element(let index): walk.enterElement(index)
        }
      // Only the last may be left out: what is in an absent message is absent too.
      guard isThere else { return number == path.steps.count - 1 ? path.whenLeftOut?[...] : nil }
    }
    let start = walk.place
    walk.skipValue()
    return bytes[start..<walk.place]
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func enterMember(_ name: String) -> Bool {
    let wanted = Array(JSONText.quoted(name).utf8)
    guard take(UInt8(ascii: "{")), !take(UInt8(ascii: "}")) else { return false }
    repeat {
      let start = place
      skipValue()
      let isWanted = bytes[start..<place].elementsEqual(wanted)
      _ = take(UInt8(ascii: ":"))
      if isWanted { return true }
      skipValue()
    } while take(UInt8(ascii: ","))
    return false
  }

  private mutating func enterElement(_ index: Int) -> Bool {
    guard take(UInt8(ascii: "[")), !take(UInt8(ascii: "]")) else { return false }
    for _ in 0..<index {
      skipValue()
      guard take(UInt8(ascii: ",")) else { return false }
    }
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipValue() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): skipText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        place += 1
        continue
      default: skipWord()
      }
      if depth == 0 { return }
    }
  }

  private mutating func skipText() {
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place += 1
  }

  /// A number, `true`, `false` or `null`.
  private mutating func skipWord() {
    while place < bytes.count, !Self.ends.contains(bytes[place]) { place += 1 }
  }

  private static let ends = Set(",:}]".utf8)
}
