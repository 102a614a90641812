/// Prepares a descriptor set for protoc-c.
///
/// For our method options, protoc-c would need protobuf's own descriptor types, and for services it would write stubs
/// that are not used. So it gets only messages and enums, and is told not to write functions for each message that
/// pack and unpack it: the codec calls those of protobuf-c, which take any message.
package enum CDescriptors {
  private static let dropped = (dependencies: 3, services: 6, extensions: 7, comments: 9)
  private static let options = 8
  /// protoc-c's option `(pb_c_file).gen_pack_helpers = false`. Written here, it stays out of the contract.
  private static let noPackHelpers: [UInt8] = {
    var result: [UInt8] = []
    result.append(field: 1019, bytes: [2 << 3, 0])
    return result
  }()

  /// The set without services, comments and the files that only carry options, with the option for protoc-c.
  package static func prepare(_ set: [UInt8]) throws(GeneratorError) -> [UInt8] {
    var result: [UInt8] = []
    try ProtobufReader.forEachField(of: set[...]) { (number, value) throws(GeneratorError) in
      guard number == 1 else { return }
      let file = try preparedFile(try value.bytes)
      if let file { result.append(field: 1, bytes: file) }
    }
    return result
  }

  private static func preparedFile(_ bytes: ArraySlice<UInt8>) throws(GeneratorError) -> [UInt8]? {
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
    // Protobuf joins the options of a file that has some already with these.
    result.append(field: options, bytes: noPackHelpers)
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
