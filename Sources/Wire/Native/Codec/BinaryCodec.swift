internal import CProtobufC

/// Protobuf's binary form, by way of protobuf-c.
///
/// Decoding is three steps: `WireScan` checks all that protobuf-c leaves unchecked (and names what is wrong), protobuf-c
/// unpacks into an arena of limited size, and the generated conversion makes the Swift value.
enum BinaryCodec {
  static func encode<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    if message.numberListSize >= NumberLists.worthwhileSize { return try encodeBorrowing(message) }
    var arena = Arena()
    let native = unsafe arena.present(message)
    return try unsafe pack(UnsafeRawPointer(native).assumingMemoryBound(to: ProtobufCMessage.self), arena)
  }

  private static func encodeBorrowing<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    var arena = Arena()
    let native = unsafe arena.presentWithoutNumbers(message)
    return try unsafe message.withBorrowedNumbers(in: native) { () throws(CodecError) -> [UInt8] in
      let base = unsafe UnsafeRawPointer(native).assumingMemoryBound(to: ProtobufCMessage.self)
      try unsafe checkTexts(of: base, arena.unrepresentable)
      return unsafe packExactly(base)
    }
  }

  private static func pack(
    _ message: UnsafePointer<ProtobufCMessage>, _ arena: consuming Arena
  ) throws(CodecError) -> [UInt8] {
    try unsafe checkTexts(of: message, arena.unrepresentable)
    // Asking protobuf-c for the size first would cost as much as packing.
    guard let room = unsafe arena.roomForEncoding else { return unsafe packExactly(message) }
    let size = unsafe protobuf_c_message_pack(message, room)
    return unsafe [UInt8](UnsafeBufferPointer(start: room, count: size))
  }

  private static func packExactly(_ message: UnsafePointer<ProtobufCMessage>) -> [UInt8] {
    let size = unsafe protobuf_c_message_get_packed_size(message)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      count = unsafe protobuf_c_message_pack(message, bytes.baseAddress)
    }
  }

  static func decode<M: NativeMessage>(_ bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) -> M {
    if bytes.isEmpty { return M() }
    var fault: CodecError?
    // In its place, for the reason that `NativeMessage.read` gives.
    let message = unsafe withUnsafeTemporaryAllocation(of: M.self, capacity: 1) { space in
      guard let target = space.baseAddress else { return M() }
      do throws(CodecError) {
        try unsafe read(bytes, M.table, limits) { native, left in
          unsafe M.read(native.assumingMemoryBound(to: M.Native.self), into: target)
          guard let left = unsafe left else { return }
          unsafe NumberLists.forEach(in: left, M.table.plan) { number, _, numbers in
            unsafe target.pointee.appendNumbers(numbers, toField: number)
          }
        }
        return unsafe target.move()
      } catch {
        fault = error
        return M()
      }
    }
    if let fault { throw fault }
    return message
  }

  /// All of decoding that is the same for every message.
  ///
  /// `take` makes the value while the arena lives. It is given the bytes as well when lists of numbers were left in them.
  private static func read(
    _ bytes: Span<UInt8>, _ table: MessageTable, _ limits: DecodingLimits,
    _ take: (UnsafeRawPointer, _ left: UnsafeBufferPointer<UInt8>?) -> Void
  ) throws(CodecError) {
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      try unsafe WireScan.check(buffer, against: table.plan, depth: limits.depth)
      var arena = Arena(limit: limits.expandedSize)
      guard buffer.count >= NumberLists.worthwhileSize, unsafe table.plan.pointee.hasFixedLists else {
        return unsafe take(try unpack(buffer, table, &arena, limits), nil)
      }
      guard let rest = unsafe NumberLists.rest(of: buffer, table.plan, &arena) else {
        throw CodecError(expansionBeyond: limits)
      }
      unsafe take(try unpack(rest, table, &arena, limits), buffer)
    }
  }

  private static func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: MessageTable, _ arena: inout Arena, _ limits: DecodingLimits
  ) throws(CodecError) -> UnsafeRawPointer {
    let message = unsafe withUnsafeMutablePointer(to: &arena) { arena in
      var allocator = unsafe ProtobufCAllocator(
        alloc: { arena, size in unsafe arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(size) },
        free: { _, _ in },
        allocator_data: arena)
      return unsafe protobuf_c_message_unpack(table.descriptor, &allocator, bytes.count, bytes.baseAddress)
    }
    // The scan has checked everything else, so the arena is full.
    guard let message = unsafe message else { throw CodecError(expansionBeyond: limits) }
    return UnsafeRawPointer(message)
  }

  /// Texts in protobuf-c end at the first NUL: rather than cut one short, the encoder refuses.
  static func checkTexts(
    of message: UnsafePointer<ProtobufCMessage>, _ unrepresentable: UnsafeMutablePointer<CChar>?
  ) throws(CodecError) {
    guard let text = unsafe unrepresentable else { return }
    let path = unsafe NativeSearch.path(of: UnsafeRawPointer(text), in: message) ?? ""
    throw CodecError(code: .invalidText, path: path, message: "text may not contain NUL")
  }
}
