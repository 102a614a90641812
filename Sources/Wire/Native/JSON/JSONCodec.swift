internal import CProtobufC

/// Proto3's JSON, by way of protobuf-c's structs and descriptors. Like binary decoding, it is compiled once for all
/// messages.
package enum JSONCodec {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package static func encode<M: NativeMessage>(
    _ message: M, _ options: JSONEncodingOptions
  ) throws(CodecError) -> [UInt8] {
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

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package static func decode<M: NativeMessage>(
    _ text: Span<UInt8>, _ options: JSONDecodingOptions
  ) throws(CodecError) -> M {
    guard text.count <= options.limits.size else {
      throw CodecError(code: .tooLarge, message: "\(text.count) bytes are more than \(options.limits.size)")
    }
    return try unsafe text.withUnsafeBufferPointer { (buffer) throws(CodecError) -> M in
      guard let start = buffer.baseAddress else { throw CodecError(code: .truncated, message: "the text is empty") }
      var reader = unsafe JSONReader(start, count: buffer.count, options)
      let native = try unsafe document(&reader, M.table)
      let message = unsafe M.reading(native.assumingMemoryBound(to: M.Native.self))
      // The reader must outlive this, since it owns the struct's memory.
      extendLifetime(reader)
      return message
    }
  }

  private static func document(
    _ reader: inout JSONReader, _ table: MessageTable
  ) throws(CodecError) -> UnsafeRawPointer {
    do throws(CodecFault) {
      return unsafe UnsafeRawPointer(try reader.document(JSONPlan.of(table.descriptor)))
    } catch {
      throw CodecError(error, position: reader.position)
    }
  }
}
