internal import CProtobufC

/// Proto3's JSON, by way of protobuf-c's structs and descriptors.
enum JSONCodec {
  static func encode<M: NativeMessage>(_ message: M, _ options: JSONEncodingOptions) throws(CodecError) -> [UInt8] {
    var arena = Arena()
    let native = unsafe UnsafeRawPointer(arena.present(message))
    try unsafe BinaryCodec.checkTexts(of: native.assumingMemoryBound(to: ProtobufCMessage.self), arena.unrepresentable)
    var writer = JSONWriter(options)
    do throws(CodecFault) {
      try unsafe writer.message(native, JSONPlan.of(M.table.descriptor))
    } catch {
      throw CodecError(error)
    }
    return writer.bytes
  }

  static func decode<M: NativeMessage>(_ text: Span<UInt8>, _ options: JSONDecodingOptions) throws(CodecError) -> M {
    guard text.count <= options.limits.size else {
      throw CodecError(code: .tooLarge, message: "\(text.count) bytes are more than \(options.limits.size)")
    }
    return try unsafe text.withUnsafeBufferPointer { (buffer) throws(CodecError) -> M in
      guard let start = buffer.baseAddress else { throw CodecError(code: .truncated, message: "the text is empty") }
      var reader = unsafe JSONReader(start, count: buffer.count, options)
      do throws(CodecFault) {
        let native = try unsafe reader.document(JSONPlan.of(M.table.descriptor))
        return unsafe M.reading(native.assumingMemoryBound(to: M.Native.self))
      } catch {
        throw CodecError(error, position: reader.position)
      }
    }
  }
}
