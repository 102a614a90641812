/// Prepares a descriptor set for protoc-c.
///
/// For our method options, protoc-c would need protobuf's own descriptor types, and for services it would write stubs
/// that are not used. So it gets only messages and enums.
package enum CDescriptors {
  private static let dropped = (dependencies: 3, services: 6, extensions: 7, comments: 9)

  /// The set without services, comments and the files that only carry options.
  package static func strip(_ set: [UInt8]) throws(GeneratorError) -> [UInt8] {
    var result: [UInt8] = []
    try ProtobufReader.forEachField(of: set[...]) { (number, value) throws(GeneratorError) in
      guard number == 1 else { return }
      let file = try strippedFile(try value.bytes)
      if let file { result.append(field: 1, bytes: file) }
    }
    return result
  }

  private static func strippedFile(_ bytes: ArraySlice<UInt8>) throws(GeneratorError) -> [UInt8]? {
    var result: [UInt8] = []
    var isOptionFile = false
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1:
        isOptionFile = Contract.optionFiles.contains(try value.text)
        result.append(field: number, bytes: try value.bytes)
      case dropped.dependencies where Contract.optionFiles.contains(try value.text): break
      case dropped.services, dropped.extensions, dropped.comments: break
      default: result.append(field: number, bytes: try value.bytes)
      }
    }
    return isOptionFile ? nil : result
  }
}

extension [UInt8] {
  /// Appends a length-delimited field.
  fileprivate mutating func append(field number: Int, bytes: some Collection<UInt8>) {
    append(varint: number << 3 | 2)
    append(varint: bytes.count)
    append(contentsOf: bytes)
  }

  private mutating func append(varint value: Int) {
    var rest = value
    while rest > 0x7f {
      append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
