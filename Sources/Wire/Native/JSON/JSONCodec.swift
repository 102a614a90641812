internal import CProtobufC

/// Proto3's JSON, by way of protobuf-c's structs and descriptors.
enum JSONCodec {
  static func encode<M: NativeMessage>(_ message: M, _ options: JSONEncodingOptions) throws(CodecError) -> [UInt8] {
    var arena = Arena()
    return try unsafe write(UnsafeRawPointer(arena.present(message)), M.table, arena, options)
  }

  private static func write(
    _ native: UnsafeRawPointer, _ table: MessageTable, _ arena: borrowing Arena, _ options: JSONEncodingOptions
  ) throws(CodecError) -> [UInt8] {
    try unsafe BinaryCodec.checkTexts(of: native.assumingMemoryBound(to: ProtobufCMessage.self), arena.unrepresentable)
    var writer = JSONWriter(options)
    do throws(CodecFault) {
      try unsafe writer.message(native, JSONPlan.of(table.descriptor))
    } catch {
      throw CodecError(error)
    }
    return writer.bytes
  }

  static func decode<M: NativeMessage>(_ text: Span<UInt8>, _ options: JSONDecodingOptions) throws(CodecError) -> M {
    var message: M?
    try unsafe read(text, M.table, options) { native in
      unsafe message = M.reading(native.assumingMemoryBound(to: M.Native.self))
    }
    return message ?? M()
  }

  private static func read(
    _ text: Span<UInt8>, _ table: MessageTable, _ options: JSONDecodingOptions, _ take: (UnsafeRawPointer) -> Void
  ) throws(CodecError) {
    guard text.count <= options.limits.size else {
      throw CodecError(code: .tooLarge, message: "\(text.count) bytes are more than \(options.limits.size)")
    }
    try unsafe text.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      guard let start = buffer.baseAddress else { throw CodecError(code: .truncated, message: "the text is empty") }
      var reader = unsafe JSONReader(start, count: buffer.count, options)
      do throws(CodecFault) {
        unsafe take(try reader.document(JSONPlan.of(table.descriptor)))
      } catch {
        throw CodecError(error, position: reader.position)
      }
    }
  }
}
