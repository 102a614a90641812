/// A way in which one method can fail, as (assent.errors) states it.
package struct MethodError: Equatable {
  /// gRPC's status code; 0 where it is missing.
  package var code = 0
  /// What has to be so, as words that follow "when".
  package var when = ""
  /// The full name of the message that the status carries; empty where it carries none.
  package var detail = ""
}

extension MethodError {
  init(decoding bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: code = try value.integer
      case 2: when = try value.text
      case 3: detail = try value.text
      default: break
      }
    }
  }
}
