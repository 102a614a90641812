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
        try unsafe read(bytes, M.table, limits) { native, lists in
          unsafe M.read(native.assumingMemoryBound(to: M.Native.self), into: target)
          for index in unsafe lists.indices {
            unsafe target.pointee.appendNumbers(lists[index].bytes, toField: lists[index].field)
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

  /// All of decoding that is the same for every message: `take` makes the value while the arena lives.
  private static func read(
    _ bytes: Span<UInt8>, _ table: MessageTable, _ limits: DecodingLimits,
    _ take: (UnsafeRawPointer, [NumberLists.Piece]) -> Void
  ) throws(CodecError) {
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      try unsafe WireScan.check(buffer, against: table.plan, depth: limits.depth)
      var arena = Arena(limit: limits.expandedSize)
      if buffer.count >= NumberLists.worthwhileSize, unsafe table.plan.pointee.hasFixedLists {
        guard let (pieces, rest) = unsafe NumberLists.lift(from: buffer, table.plan, &arena) else {
          throw CodecError(expansionBeyond: limits)
        }
        unsafe take(try unpack(rest, table, &arena, limits), pieces)
      } else {
        unsafe take(try unpack(buffer, table, &arena, limits), [])
      }
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
