internal import Base

/// The name of a row in the map of rows: the first half of a hash over its table and key.
struct RowName: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  static let byteCount = 16

  init(table: String, key: [UInt8]) {
    var bytes: [UInt8] = []
    for value: Value in [.text("assent row name 1"), .text(table), .bytes(key)] {
      ValueCoding.append(value, to: &bytes)
    }
    guard let name = RowName(bytes: Digest(of: bytes).bytes.prefix(Self.byteCount)) else {
      preconditionFailure("a digest has 32 bytes")
    }
    self = name
  }

  init?(bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard bytes.count == Self.byteCount, let high = ValueCoding.takeWord(8, from: &rest),
      let low = ValueCoding.takeWord(8, from: &rest)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  func append(to bytes: inout [UInt8]) {
    for word in [high, low] { ValueCoding.append(word, width: 8, to: &bytes) }
  }

  static func < (left: RowName, right: RowName) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// One of the name's 32 hexadecimal digits: the child to follow at a branch of that depth.
  func digit(_ depth: Int) -> Int {
    let word = depth < 16 ? high : low
    return Int(word >> UInt64(60 - depth % 16 * 4) & 15)
  }
}

/// The first digits that the names of some rows share: the place of a page in the map.
struct RowPrefix: Hashable, Sendable {
  let text: String

  static let root = RowPrefix(text: "")
  private static let digits = (0..<16).map { String($0, radix: 16) }

  var depth: Int { text.utf8.count }

  func child(_ digit: Int) -> RowPrefix { RowPrefix(text: text + Self.digits[digit]) }

  /// The next `count` prefixes on the way to a row, this one first.
  func way(to name: RowName, count: Int) -> [RowPrefix] {
    var way = [self]
    while way.count < count, let last = way.last, last.depth < 2 * RowName.byteCount {
      way.append(last.child(name.digit(last.depth)))
    }
    return way
  }
}

extension ArraySlice {
  /// Groups elements by the digit of their names at a depth. They must be in the order of their names, and share all
  /// digits before.
  func groups(at depth: Int, _ name: (Element) -> RowName) -> [(digit: Int, elements: ArraySlice<Element>)] {
    var groups: [(digit: Int, elements: ArraySlice<Element>)] = []
    var rest = self
    while let first = rest.first {
      let digit = name(first).digit(depth)
      let group = rest.prefix { name($0).digit(depth) == digit }
      groups.append((digit, group))
      rest = rest.dropFirst(group.count)
    }
    return groups
  }
}
