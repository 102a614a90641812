/// A way in which a method can fail, as stated by (assent.errors).
package struct MethodError: Equatable {
  /// gRPC's status code; 0 where it is missing.
  package var code = 0
  /// The condition, as words that follow "when".
  package var when = ""
  /// The full name of the message that the status carries; empty if it carries none.
  package var detail = ""
}

extension MethodError {
  /// - Parameter scope: the method's package, in which a detail may be named without it.
  init(decoding bytes: ArraySlice<UInt8>, scope: String) throws(GeneratorError) {
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: code = try value.integer
      case 2: when = try value.text
      case 3:
        let name = try value.text
        detail = name.isEmpty || name.contains(".") || scope.isEmpty ? name : "\(scope).\(name)"
      default: break
      }
    }
  }
}
