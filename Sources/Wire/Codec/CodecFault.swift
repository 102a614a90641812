/// A fault found by a decoder. Each enclosing message or list puts its step in front of the path.
struct CodecFault: Error {
  let code: CodecError.Code
  let message: String
  private(set) var path = ""

  init(_ code: CodecError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static var truncated: CodecFault { CodecFault(.truncated, "the input ends in the middle of it") }

  static var group: CodecFault { CodecFault(.malformed, "groups are not part of proto3") }

  static var tooDeep: CodecFault { CodecFault(.tooDeep, "messages stand inside each other deeper than allowed") }

  /// The same fault, with a step of the enclosing message or list in front of its path.
  func inside(_ step: String) -> CodecFault {
    var result = self
    result.path = path.isEmpty || path.first == "[" ? step + path : "\(step).\(path)"
    return result
  }
}

extension CodecError {
  init(_ fault: CodecFault, position: Position? = nil) {
    self.init(code: fault.code, path: fault.path, position: position, message: fault.message)
  }
}
