internal import CProtobufC

/// What `WireScan` has found, with the path as it grows on the way out.
struct WireFault: Error {
  let code: CodecError.Code
  let message: String
  private(set) var path = ""

  init(_ code: CodecError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static var truncated: WireFault { WireFault(.truncated, "the input ends in the middle of it") }

  static func wrongType(_ field: UnsafePointer<FieldPlan>, _ found: String) -> WireFault {
    let expected =
      switch unsafe field.pointee.form {
      case .varint: "a varint"
      case .fixed32: "4 bytes"
      case .fixed64: "8 bytes"
      case .text, .blob, .message, .absent: "a length"
      }
    return WireFault(.wrongType, "it has the wire type of \(found), the contract says \(expected)")
  }

  /// The same fault, seen from the message that has the field.
  func inside(
    _ field: UnsafePointer<FieldPlan>?, number: UInt32, _ start: UnsafePointer<UInt8>, _ cursor: UnsafePointer<UInt8>
  ) -> WireFault {
    var result = self
    var step = "field \(number)"
    if let field = unsafe field, let name = unsafe field.pointee.native?.pointee.name {
      unsafe step = String(cString: name)
    }
    result.path = path.isEmpty ? step : "\(step).\(path)"
    return result
  }
}
