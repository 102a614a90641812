/// Who may call a method, as stated by one (assent.allow): roles, place and relation by their numbers in
/// proto/assent/options.proto; 0 if the option does not state one.
package struct Permission: Equatable {
  package var roles: [Int] = []
  package var place = 0
  package var relation = 0
}

extension Permission {
  init(decoding bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch (number, value) {
      case (1, .number): roles.append(try value.integer)
      case (1, .bytes(let packed)): roles += try ProtobufReader.packedNumbers(packed)
      case (2, _): place = try value.integer
      case (3, _): relation = try value.integer
      default: break
      }
    }
  }
}
