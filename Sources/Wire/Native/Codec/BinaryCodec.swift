internal import CProtobufC

/// Protobuf's binary form, by way of protobuf-c.
///
/// Decoding is three steps: `WireScan` checks all that protobuf-c leaves unchecked (and names what is wrong), protobuf-c
/// unpacks into an arena of limited size, and the generated conversion makes the Swift value.
enum BinaryCodec {
  @inline(__always)
  static func encode<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    if message.numberListSize >= NumberLists.worthwhileSize { return try encodeBorrowing(message) }
    var arena = Arena()
    let native = unsafe arena.present(message)
    return try unsafe pack(UnsafeRawPointer(native).assumingMemoryBound(to: ProtobufCMessage.self), &arena)
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
    _ message: UnsafePointer<ProtobufCMessage>, _ arena: inout Arena
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

  @inline(__always)
  static func decode<M: NativeMessage>(_ bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) -> M {
    let table = M.table
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> M in
      guard !buffer.isEmpty else { return M() }
      try unsafe WireScan.check(buffer, against: table.plan, depth: limits.depth)
      var arena = Arena(limit: limits.expandedSize)
      if buffer.count >= NumberLists.worthwhileSize, unsafe table.plan.pointee.hasFixedLists {
        return try unsafe decodeLifting(buffer, table, &arena, limits)
      }
      let message = try unsafe unpack(buffer, table, &arena, limits)
      return unsafe M.reading(UnsafeRawPointer(message).assumingMemoryBound(to: M.Native.self))
    }
  }

  private static func decodeLifting<M: NativeMessage>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: MessageTable, _ arena: inout Arena, _ limits: DecodingLimits
  ) throws(CodecError) -> M {
    guard let (pieces, rest) = unsafe NumberLists.lift(from: bytes, table.plan, &arena) else {
      throw CodecError(expansionBeyond: limits)
    }
    let native = try unsafe unpack(rest, table, &arena, limits)
    var message = unsafe M.reading(UnsafeRawPointer(native).assumingMemoryBound(to: M.Native.self))
    for piece in pieces {
      unsafe message.appendNumbers(
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[piece.range])), toField: piece.field)
    }
    return message
  }

  private static func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: MessageTable, _ arena: inout Arena, _ limits: DecodingLimits
  ) throws(CodecError) -> UnsafeMutablePointer<ProtobufCMessage> {
    let message = unsafe withUnsafeMutablePointer(to: &arena) { arena in
      var allocator = unsafe ProtobufCAllocator(
        alloc: { arena, size in unsafe arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(size) },
        free: { _, _ in },
        allocator_data: arena)
      return unsafe protobuf_c_message_unpack(table.descriptor, &allocator, bytes.count, bytes.baseAddress)
    }
    // The scan has checked everything else, so the arena is full.
    guard let message = unsafe message else { throw CodecError(expansionBeyond: limits) }
    return unsafe message
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
