internal import Glibc
internal import Wire

/// Writes protobuf's binary form into memory that has room for all of it. Default values are left out.
@safe struct WireSink: ~Copyable {
  private var place: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>
  /// Set when a text has a zero byte, which protobuf-c cannot represent and the full encoder refuses.
  private(set) var isBroken = false

  private init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
    unsafe place = start
    unsafe end = start + room
  }

  /// Writes from the start of `buffer`, which grows to have `room`; returns how many bytes were written, or nil when
  /// something cannot be written this way.
  @inline(__always)
  static func write(into buffer: inout [UInt8], room: Int, _ body: (inout WireSink) -> Void) -> Int? {
    if buffer.count < room { buffer = [UInt8](repeating: 0, count: max(2 * room, 1024)) }
    return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      var sink = unsafe WireSink(start, room: buffer.count)
      body(&sink)
      return sink.isBroken ? nil : unsafe sink.place - start
    }
  }

  /// What a field takes besides its content, at most.
  static var fieldRoom: Int { 16 }

  /// Checks that there is room. If there is not, the caller has computed too little.
  @inline(__always)
  private func require(_ count: Int) {
    precondition(unsafe end - place >= count, "a message is longer than was said")
  }

  @inline(__always)
  mutating func number(_ value: UInt64, field: UInt8) {
    guard value != 0 else { return }
    require(Self.fieldRoom)
    put(field << 3)
    varint(value)
  }

  @inline(__always)
  mutating func flag(_ value: Bool, field: UInt8) {
    number(value ? 1 : 0, field: field)
  }

  @inline(__always)
  mutating func fixed64(_ value: UInt64, field: UInt8) {
    guard value != 0 else { return }
    require(Self.fieldRoom)
    put(field << 3 | 1)
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: value.littleEndian, as: UInt64.self)
    unsafe place += 8
  }

  @inline(__always)
  mutating func text(_ text: String, field: UInt8) {
    if !text.isEmpty { element(text, field: field) }
  }

  /// A text of a list, which is written even when it is empty.
  mutating func element(_ text: String, field: UInt8) {
    let isWritten: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      require(Self.fieldRoom + utf8.count)
      header(utf8.count, field: field)
      guard let source = utf8.baseAddress else { return }
      if unsafe TextCopy.copy(source, utf8.count, to: place) { isBroken = true }
      unsafe place += utf8.count
    }
    if isWritten == nil { isBroken = true }
  }

  /// Bytes, or a nested message that is encoded already.
  mutating func bytes(_ bytes: [UInt8], field: UInt8) {
    guard !bytes.isEmpty else { return }
    require(Self.fieldRoom + bytes.count)
    header(bytes.count, field: field)
    unsafe bytes.withUnsafeBytes { source in
      if let source = source.baseAddress { unsafe memcpy(place, source, bytes.count) }
    }
    unsafe place += bytes.count
  }

  // MARK: - Writing with enough room

  @inline(__always)
  private mutating func header(_ count: Int, field: UInt8) {
    // From field 16 on, the tag takes two bytes.
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(count))
  }

  @inline(__always)
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe place.pointee = byte
    unsafe place += 1
  }
}
