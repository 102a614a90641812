internal import CProtobufC

/// Protobuf's binary form, by way of protobuf-c.
///
/// Decoding is three steps: `WireScan` checks all that protobuf-c leaves unchecked (and names what is wrong), protobuf-c
/// unpacks into an arena of limited size, and the generated conversion makes the Swift value.
enum BinaryCodec {
  @inline(__always)
  static func encode<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    var arena = Arena()
    let native = unsafe arena.present(message)
    let base = unsafe UnsafeRawPointer(native).assumingMemoryBound(to: ProtobufCMessage.self)
    if let text = unsafe arena.unrepresentable { throw unsafe unrepresentableText(text, in: base) }
    let size = unsafe protobuf_c_message_get_packed_size(base)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      count = unsafe protobuf_c_message_pack(base, bytes.baseAddress)
    }
  }

  @inline(__always)
  static func decode<M: NativeMessage>(_ bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) -> M {
    let table = M.table
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> M in
      guard let start = buffer.baseAddress, buffer.count > 0 else { return M() }
      try unsafe WireScan.check(start, count: buffer.count, against: table.plan, depth: limits.depth)
      var arena = Arena(limit: limits.expandedSize)
      guard let message = unsafe unpack(start, buffer.count, table, &arena) else {
        throw CodecError(
          code: .expandsTooMuch, message: "the message unfolds to more than \(limits.expandedSize) bytes of memory")
      }
      return unsafe M(native: UnsafeRawPointer(message).assumingMemoryBound(to: M.Native.self))
    }
  }

  private static func unpack(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ table: MessageTable, _ arena: inout Arena
  ) -> UnsafeMutablePointer<ProtobufCMessage>? {
    unsafe withUnsafeMutablePointer(to: &arena) { arena in
      var allocator = unsafe ProtobufCAllocator(
        alloc: { arena, size in unsafe arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(size) },
        free: { _, _ in },
        allocator_data: arena)
      return unsafe protobuf_c_message_unpack(table.descriptor, &allocator, count, bytes)
    }
  }

  /// Texts in protobuf-c end at the first NUL: rather than cut one short, the encoder refuses.
  static func unrepresentableText(
    _ text: UnsafeMutablePointer<CChar>, in message: UnsafePointer<ProtobufCMessage>
  ) -> CodecError {
    CodecError(code: .invalidText, message: "text may not contain NUL")
  }
}
