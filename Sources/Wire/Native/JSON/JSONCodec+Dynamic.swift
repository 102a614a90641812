internal import CProtobufC

/// Converts a message between its two forms by its descriptor alone, without a Swift value in between.
extension JSONCodec {
  static func binary(
    fromJSON text: Span<UInt8>, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ options: JSONDecodingOptions
  ) throws(CodecError) -> [UInt8] {
    guard text.count <= options.limits.size else {
      throw CodecError(code: .tooLarge, message: "\(text.count) bytes are more than \(options.limits.size)")
    }
    return try unsafe text.withUnsafeBufferPointer { (buffer) throws(CodecError) -> [UInt8] in
      guard let start = buffer.baseAddress else { throw CodecError(code: .truncated, message: "the text is empty") }
      var reader = unsafe JSONReader(start, count: buffer.count, options)
      do throws(CodecFault) {
        let native = try unsafe reader.document(JSONPlan.of(descriptor))
        let message = unsafe UnsafePointer(native.assumingMemoryBound(to: ProtobufCMessage.self))
        let size = unsafe protobuf_c_message_get_packed_size(message)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
          count = unsafe protobuf_c_message_pack(message, bytes.baseAddress)
        }
        // The reader must outlive this, since it owns the struct's memory.
        extendLifetime(reader)
        return bytes
      } catch {
        throw CodecError(error, position: reader.position)
      }
    }
  }

  static func json(
    fromBinary bytes: Span<UInt8>, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ limits: DecodingLimits,
    _ options: JSONEncodingOptions
  ) throws(CodecError) -> [UInt8] {
    var arena = Arena(limit: limits.expandedSize)
    let message = try unsafe BinaryCodec.unpacked(bytes, descriptor, limits, &arena)
    var writer = JSONWriter(options)
    do throws(CodecFault) {
      try unsafe writer.message(message, JSONPlan.of(descriptor))
    } catch {
      throw CodecError(error)
    }
    extendLifetime(arena)
    return writer.bytes
  }
}
