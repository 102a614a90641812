internal import Base
internal import Wire

/// Key–value pairs that are sent with a call besides its messages.
///
/// Keys are lower-case ASCII; a key that ends in `-bin` has bytes as its value, every other has printable text. A key
/// may occur several times; the order of its values is kept.
public struct Metadata: Hashable, Sendable {
  public private(set) var entries: [Entry]

  public struct Entry: Hashable, Sendable {
    public let key: String
    public let value: [UInt8]

    /// The value as text; bytes that are not UTF-8 become replacement characters.
    public var text: String { String(decoding: value, as: UTF8.self) }
  }

  public init() {
    entries = []
  }

  public var isEmpty: Bool { entries.isEmpty }

  /// The first text under `key`.
  public subscript(key: String) -> String? { entries.first { $0.key == key }?.text }

  /// The first bytes under `key`.
  public subscript(bytes key: String) -> [UInt8]? { entries.first { $0.key == key }?.value }

  public func values(of key: String) -> [[UInt8]] {
    entries.filter { $0.key == key }.map(\.value)
  }

  /// Adds a text value. Refuses malformed keys, keys in `-bin`, and text that is not printable ASCII.
  public mutating func add(_ key: String, _ text: String) throws(Status) {
    try Self.check(key: key)
    guard !key.hasSuffix(Self.binarySuffix) else {
      throw Status(.invalidArgument, "metadata '\(key)' ends in -bin and so takes bytes, not text")
    }
    guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw Status(
        .invalidArgument, "metadata '\(key)' has a value that is not printable ASCII; use a key ending in -bin")
    }
    entries.append(Entry(key: key, value: Array(text.utf8)))
  }

  /// Adds a binary value under a key that ends in `-bin`.
  public mutating func add(_ key: String, bytes: [UInt8]) throws(Status) {
    try Self.check(key: key)
    guard key.hasSuffix(Self.binarySuffix) else {
      throw Status(.invalidArgument, "metadata '\(key)' has bytes for a value; its key must end in -bin")
    }
    entries.append(Entry(key: key, value: bytes))
  }

  public mutating func append(contentsOf other: Metadata) {
    entries.append(contentsOf: other.entries)
  }

  public mutating func removeAll(_ key: String) {
    entries.removeAll { $0.key == key }
  }

  /// The size of the entries that counts towards `sizeLimit`.
  package var byteCount: Int {
    entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.count + Self.entryOverhead }
  }

  /// The bound for all metadata of one side of a call, the same as in most gRPC servers.
  public static let sizeLimit = 16 * 1024

  /// Adds an entry without checking its form: either its sender has done so, or the receiver calls `violation`.
  package mutating func appendUnchecked(key: String, value: [UInt8]) {
    entries.append(Entry(key: key, value: value))
  }

  /// What is wrong with metadata that came from outside; nil if it is valid.
  package var violation: String? {
    if entries.isEmpty { return nil }
    if byteCount > Self.sizeLimit { return "metadata weighs \(byteCount) bytes; at most \(Self.sizeLimit) may travel" }
    for entry in entries {
      if !Self.isWellFormed(entry.key) { return "metadata key '\(entry.key.shortened)' is not lower-case ASCII" }
      let isBinary = entry.key.hasSuffix(Self.binarySuffix)
      if !isBinary, !entry.value.allSatisfy({ 0x20...0x7E ~= $0 }) {
        return "metadata '\(entry.key)' has a value that is not printable ASCII"
      }
    }
    return nil
  }

  private static let binarySuffix = "-bin"
  private static let entryOverhead = 32

  private static func check(key: String) throws(Status) {
    guard isWellFormed(key) else {
      throw Status(.invalidArgument, "metadata key '\(key)' must be 1 to 128 of a-z, 0-9, '-', '_' and '.'")
    }
  }

  package static func isWellFormed(_ key: String) -> Bool {
    let length = key.utf8.count
    return 1...128 ~= length
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// For literals in code: a malformed key or value is a programming error.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (key, text) in elements {
      do throws(Status) { try add(key, text) } catch { preconditionFailure(error.message) }
    }
  }
}
