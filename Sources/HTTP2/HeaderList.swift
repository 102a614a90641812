/// The fields of a header or a trailer, in their order. All names and values share one array of bytes.
package struct HeaderList: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Ends] = []
  /// Whether fields were dropped because the header exceeded the connection's limit.
  package internal(set) var isCutShort = false

  /// Where the name and the value of a field end.
  struct Ends: Equatable, Sendable {
    let name: Int
    let value: Int
  }

  package init() {}

  /// A list that is about to get its fields.
  ///
  /// - Parameter room: how many bytes they may have before memory has to grow.
  package init(room: Int) {
    bytes.reserveCapacity(room)
    ends.reserveCapacity(Self.usualCount)
  }

  private static let usualCount = 16

  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  package var count: Int { ends.count }

  /// The size of the list as HTTP/2 measures it: each field adds 32 bytes to its name and value.
  package var size: Int { bytes.count + 32 * ends.count }

  package mutating func add(_ name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    let end = bytes.count
    bytes.append(contentsOf: value.utf8)
    ends.append(Ends(name: end, value: bytes.count))
  }

  package mutating func add(_ name: String, _ value: [UInt8]) {
    bytes.append(contentsOf: name.utf8)
    let end = bytes.count
    bytes.append(contentsOf: value)
    ends.append(Ends(name: end, value: bytes.count))
  }

  mutating func add(name: some Collection<UInt8>, value: some Collection<UInt8>) {
    bytes.append(contentsOf: name)
    let end = bytes.count
    bytes.append(contentsOf: value)
    ends.append(Ends(name: end, value: bytes.count))
  }

  /// Calls `body` with each field, in order.
  package func forEach<Failure: Error>(
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    let bytes = bytes.span
    for end in ends {
      try body(bytes.extracting(start..<end.name), bytes.extracting(end.name..<end.value))
      start = end.value
    }
  }

  /// The first value of this name, as text.
  package subscript(_ name: String) -> String? {
    var start = 0
    let bytes = bytes.span
    for end in ends {
      if bytes.extracting(start..<end.name).equals(name) { return bytes.extracting(end.name..<end.value).text }
      start = end.value
    }
    return nil
  }
}

extension Span<UInt8> {
  package func equals(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == count else { return false }
    var place = 0
    for byte in bytes {
      if self[place] != byte { return false }
      place += 1
    }
    return true
  }

  package func hasSuffix(_ text: String) -> Bool {
    text.utf8.count <= count && extracting((count - text.utf8.count)..<count).equals(text)
  }

  package func hasPrefix(_ text: String) -> Bool {
    text.utf8.count <= count && extracting(0..<text.utf8.count).equals(text)
  }

  /// The bytes as text; those that are not UTF-8 become replacement characters.
  package var text: String {
    if let valid = try? UTF8Span(validating: self) { return String(copying: valid) }
    return String(decoding: indices.map { self[$0] }, as: UTF8.self)
  }
}
