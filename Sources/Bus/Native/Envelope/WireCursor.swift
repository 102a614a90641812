internal import Wire

/// Where reading protobuf's binary form has come to.
///
/// The first thing that it cannot read breaks it: it is at its end then, and gives zeros and empty texts. So whoever reads looks
/// once, when done, whether all was well, and not after each field. It is only lent, and never outlives the bytes.
@safe struct WireCursor: ~Copyable {
  private var place: UnsafePointer<UInt8>
  private var end: UnsafePointer<UInt8>
  private(set) var isBroken = false

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>) {
    unsafe place = start
    unsafe end = start + bytes.count
  }

  /// Lends a cursor at the start of the bytes.
  @inline(__always)
  static func read<Value>(_ bytes: Span<UInt8>, _ body: (inout WireCursor) -> Value?) -> Value? {
    unsafe bytes.withUnsafeBufferPointer { unsafe read($0, body) }
  }

  /// What `body` makes of the bytes; nil when it makes nothing or the cursor broke.
  @inline(__always)
  private static func read<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout WireCursor) -> Value?
  ) -> Value? {
    // Without bytes there is no address; any will do, since none is read from.
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

  /// The next field's number, eightfold, and its wire type; nil at the end.
  @inline(__always)
  mutating func nextTag() -> UInt64? {
    unsafe place < end ? short() : nil
  }

  /// A tag or a length: at most three bytes, which is far beyond any envelope's fields and size. Whoever pads them to more
  /// meets the full decoder.
  @inline(__always)
  private mutating func short() -> UInt64 {
    guard unsafe place < end else { return failed() }
    return upToTwoBytes() ?? longer(upTo: 3)
  }

  @inline(__always)
  mutating func varint() -> UInt64 {
    guard unsafe place < end else { return failed() }
    // Numbers of ten bytes are the full decoder's.
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

  /// A number that stands for something, where it does.
  @inline(__always)
  mutating func varint<Value>(into target: inout Value, as make: (UInt64) -> Value?) {
    let number = varint()
    if let value = make(number) { target = value } else { fail() }
  }

  // MARK: - Fields of a stated length

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

  /// A text. One that is not UTF-8, or has a zero byte, which protobuf-c cannot carry, breaks the cursor.
  mutating func text() -> String {
    let content = unsafe content()
    return unsafe text(content) ?? ""
  }

  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let text = unsafe UTF8Check.text(bytes)
    if text == nil { fail() }
    return text
  }

  /// The same, for texts that come again and again.
  mutating func text(knownIn known: inout KnownBytes<String>) -> String {
    let content = unsafe content()
    return unsafe known.value(of: content) { unsafe text(content) } ?? ""
  }

  /// A message inside, of a kind that comes again and again.
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
