internal import Wire

/// A position in protobuf's binary form.
///
/// The first thing that it cannot read breaks the cursor: it is at its end then, and gives zeros and empty texts. So
/// the reader checks once, at the end, whether all was valid, and not after each field. A cursor is only borrowed, and
/// never outlives the bytes.
@safe struct WireCursor: ~Copyable {
  private var place: UnsafePointer<UInt8>
  private var end: UnsafePointer<UInt8>
  private(set) var isBroken = false

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>) {
    unsafe place = start
    unsafe end = start + bytes.count
  }

  /// Passes a cursor at the start of the bytes to `body`.
  @inline(__always)
  static func read<Value>(_ bytes: Span<UInt8>, _ body: (inout WireCursor) -> Value?) -> Value? {
    unsafe bytes.withUnsafeBufferPointer { unsafe read($0, body) }
  }

  /// The result of `body`; nil when it returns nil or the cursor broke.
  @inline(__always)
  private static func read<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout WireCursor) -> Value?
  ) -> Value? {
    // Empty bytes have no address; any address serves, since nothing is read from it.
    var nothing: UInt8 = 0
    return unsafe withUnsafePointer(to: &nothing) { nothing in
      var cursor = unsafe WireCursor(bytes, bytes.baseAddress ?? nothing)
      let value = body(&cursor)
      return cursor.isBroken ? nil : value
    }
  }

  @inline(__always)
  mutating func fail() {
    isBroken = true
    unsafe place = end
  }

  /// The next field's number times eight, plus its wire type; nil at the end.
  @inline(__always)
  mutating func nextTag() -> UInt64? {
    unsafe place < end ? short() : nil
  }

  /// A tag or a length: at most three bytes, far more than an envelope's fields and size need. If it is padded to more,
  /// the full decoder reads it.
  @inline(__always)
  private mutating func short() -> UInt64 {
    guard unsafe place < end else { return failed() }
    return upToTwoBytes() ?? longer(upTo: 3)
  }

  @inline(__always)
  mutating func varint() -> UInt64 {
    guard unsafe place < end else { return failed() }
    // Only the full decoder reads numbers of ten bytes.
    return upToTwoBytes() ?? longer(upTo: 9)
  }

  /// A number of one or two bytes, as nearly all are; nil when it has more.
  @inline(__always)
  private mutating func upToTwoBytes() -> UInt64? {
    let first = unsafe place.pointee
    if first < 0x80 {
      unsafe place += 1
      return UInt64(first)
    }
    guard unsafe end - place >= 2, unsafe place[1] < 0x80 else { return nil }
    let second = unsafe place[1]
    unsafe place += 2
    return UInt64(first & 0x7F) | UInt64(second) << 7
  }

  private mutating func longer(upTo limit: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<min(limit, unsafe end - place) {
      let byte = unsafe place[index]
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 {
        unsafe place += index + 1
        return value
      }
    }
    return failed()
  }

  private mutating func failed() -> UInt64 {
    fail()
    return 0
  }

  @inline(__always)
  mutating func fixed64() -> UInt64 {
    guard unsafe end - place >= 8 else { return failed() }
    let value = unsafe UnsafeRawPointer(place).loadUnaligned(as: UInt64.self)
    unsafe place += 8
    return UInt64(littleEndian: value)
  }

  /// Reads a number, and sets `target` to the value that `make` has for it. If there is none, the cursor breaks.
  @inline(__always)
  mutating func varint<Value>(into target: inout Value, as make: (UInt64) -> Value?) {
    let number = varint()
    if let value = make(number) { target = value } else { fail() }
  }

  // MARK: - Length-delimited fields

  @inline(__always)
  private mutating func content() -> UnsafeBufferPointer<UInt8> {
    let count = short()
    guard count <= UInt64(unsafe end - place) else {
      fail()
      return unsafe UnsafeBufferPointer(start: end, count: 0)
    }
    let start = unsafe place
    unsafe place += Int(count)
    return unsafe UnsafeBufferPointer(start: start, count: Int(count))
  }

  @inline(__always)
  mutating func bytes() -> [UInt8] {
    unsafe Array(content())
  }

  /// A text. One that is not UTF-8, or has a zero byte, which protobuf-c cannot represent, breaks the cursor.
  mutating func text() -> String {
    let content = unsafe content()
    return unsafe text(content) ?? ""
  }

  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let text = unsafe UTF8Check.text(bytes)
    if text == nil { fail() }
    return text
  }

  /// Reads a text by way of a cache, for texts that arrive again and again.
  mutating func text(knownIn known: inout KnownBytes<String>) -> String {
    let content = unsafe content()
    return unsafe known.value(of: content) { unsafe text(content) } ?? ""
  }

  /// Reads a nested message by way of a cache, for messages that arrive again and again.
  @inline(__always)
  mutating func message<Value>(
    knownIn known: inout KnownBytes<Value>, as make: (inout WireCursor) -> Value?
  ) -> Value? {
    let content = unsafe content()
    let value = unsafe known.value(of: content) { unsafe Self.read(content, make) }
    if value == nil { fail() }
    return value
  }
}
