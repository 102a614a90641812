internal import CProtobufC

/// Protobuf's binary form, read and written by protobuf-c.
///
/// Decoding takes three steps: `WireScan` checks everything that protobuf-c does not (and names the fault), protobuf-c
/// unpacks into an arena of limited size, and the generated conversion makes the Swift value.
///
/// The compiler copies a generic function for each of hundreds of messages; where it does not, the function looks up
/// types at every use, which takes longer than the conversion. So only the few lines of the conversion are copied, and
/// everything else is compiled once. The shared code takes no closure that depends on the message's type, since the
/// compiler would then copy the shared code with it.
///
/// Everything that contracts' modules copy has to be public: the compiler does not copy `package` functions into other
/// modules, `@inlinable` or not.
public enum BinaryCodec {
  // MARK: - Encoding

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package static func encode<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    if message.numberListSize >= NumberLists.worthwhileSize { return try encodeBorrowing(message) }
    var arena = Arena()
    let native = unsafe message.filled(in: &arena)
    return try unsafe pack(UnsafeRawPointer(native), arena)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func encodeBorrowing<M: NativeMessage>(_ message: M) throws(CodecError) -> [UInt8] {
    var arena = Arena()
    let native = unsafe arena.presentWithoutNumbers(message)
    return try unsafe message.withBorrowedNumbers(in: native) { () throws(CodecError) -> [UInt8] in
      try unsafe packBorrowing(UnsafeRawPointer(native), arena)
    }
  }

  static func packBorrowing(_ native: UnsafeRawPointer, _ arena: borrowing Arena) throws(CodecError) -> [UInt8] {
    let message = unsafe native.assumingMemoryBound(to: ProtobufCMessage.self)
    try unsafe checkTexts(of: message, arena.unrepresentable)
    return unsafe packExactly(message)
  }

  static func pack(_ native: UnsafeRawPointer, _ arena: borrowing Arena) throws(CodecError) -> [UInt8] {
    let message = unsafe native.assumingMemoryBound(to: ProtobufCMessage.self)
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

  /// protobuf-c's texts end at the first NUL. The encoder refuses such a text instead of cutting it short.
  static func checkTexts(
    of message: UnsafePointer<ProtobufCMessage>, _ unrepresentable: UnsafeMutablePointer<CChar>?
  ) throws(CodecError) {
    guard let text = unsafe unrepresentable else { return }
    let path = unsafe NativeSearch.path(of: UnsafeRawPointer(text), in: message) ?? ""
    throw CodecError(code: .invalidText, path: path, message: "text may not contain NUL")
  }

  // MARK: - Decoding

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package static func decode<M: NativeMessage>(
    _ bytes: Span<UInt8>, _ limits: DecodingLimits
  ) throws(CodecError) -> M {
    if bytes.isEmpty { return M() }
    var arena = Arena(limit: limits.expandedSize)
    let unpacked = try unpacked(bytes, M.table, limits, &arena)
    var message: M
    if let native = unsafe unpacked.message {
      message = unsafe M.reading(native.assumingMemoryBound(to: M.Native.self), in: &arena)
    } else {
      message = M()
    }
    if unpacked.leftNumbers { appendNumbers(of: bytes, to: &message) }
    // The struct is in the arena until here.
    extendLifetime(arena)
    return message
  }

  /// Appends the lists of numbers that were withheld from protobuf-c.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func appendNumbers<M: NativeMessage>(of bytes: Span<UInt8>, to message: inout M) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe NumberLists.forEach(in: buffer, M.table.plan) { number, _, numbers in
        unsafe message.appendNumbers(numbers, toField: number)
      }
    }
  }

  /// The struct that protobuf-c has unpacked, in the arena.
  @safe struct Unpacked {
    /// nil if the message had nothing but lists that were withheld.
    let message: UnsafeRawPointer?
    /// Whether lists of fixed-width numbers were withheld, and have to be read from the bytes.
    let leftNumbers: Bool
  }

  /// The part of decoding that all messages share.
  static func unpacked(
    _ bytes: Span<UInt8>, _ table: MessageTable, _ limits: DecodingLimits, _ arena: inout Arena
  ) throws(CodecError) -> Unpacked {
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      try unsafe WireScan.check(buffer, against: table.plan, limits)
      guard buffer.count >= NumberLists.worthwhileSize, unsafe table.plan.pointee.hasFixedLists else {
        return unsafe Unpacked(message: try unpack(buffer, table.descriptor, &arena, limits), leftNumbers: false)
      }
      guard let rest = unsafe NumberLists.rest(of: buffer, table.plan, &arena) else {
        throw CodecError(expansionBeyond: limits)
      }
      let message = unsafe rest.isEmpty ? nil : try unpack(rest, table.descriptor, &arena, limits)
      return unsafe Unpacked(message: message, leftNumbers: true)
    }
  }

  private static func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
    _ arena: inout Arena, _ limits: DecodingLimits
  ) throws(CodecError) -> UnsafeRawPointer {
    let message = unsafe withUnsafeMutablePointer(to: &arena) { arena in
      var allocator = unsafe ProtobufCAllocator(
        alloc: { arena, size in unsafe arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(size) },
        free: { _, _ in },
        allocator_data: arena)
      return unsafe protobuf_c_message_unpack(descriptor, &allocator, bytes.count, bytes.baseAddress)
    }
    // The scan has checked everything else, so the arena must be full.
    guard let message = unsafe message else { throw CodecError(expansionBeyond: limits) }
    return UnsafeRawPointer(message)
  }

  /// Checks and unpacks a message, with its lists of numbers, by its descriptor alone.
  static func unpacked(
    _ bytes: Span<UInt8>, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ limits: DecodingLimits,
    _ arena: inout Arena
  ) throws(CodecError) -> UnsafeRawPointer {
    guard bytes.count <= limits.size else {
      throw CodecError(code: .tooLarge, message: "\(bytes.count) bytes are more than \(limits.size)")
    }
    return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      try unsafe WireScan.check(buffer, against: MessagePlan.of(descriptor), limits)
      return try unsafe unpack(buffer, descriptor, &arena, limits)
    }
  }
}
