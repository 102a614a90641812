extension Status {
  /// The form of every error of services and doors: the message has rule and story for people, and an `ErrorInfo` among
  /// the details has both for programs.
  ///
  /// - Parameters:
  ///   - rule: a stable name; part of the contract.
  ///   - field: which field of the request it is about; empty where it is about none.
  ///   - story: what happened, where, why, and what to do next.
  ///   - further: details that follow the `ErrorInfo`.
  public init(
    _ code: StatusCode, rule: String, field: String = "", _ story: String, details further: [Detail] = [],
    metadata: Metadata = Metadata()
  ) {
    let info = Detail(rule: rule, field: field, story: story)
    self.init(code, "\(rule): \(story)", details: [info] + further, metadata: metadata)
  }
}

extension Status.Detail {
  /// Encodes `assent.common.v1.ErrorInfo` by hand: the generated messages are in targets that import this one.
  init(rule: String, field: String, story: String) {
    var bytes: [UInt8] = []
    for (number, text) in zip(UInt8(1)..., [rule, field, story]) where !text.isEmpty {
      bytes.append(field: number, Array(text.utf8))
    }
    self.init(typeName: "assent.common.v1.ErrorInfo", value: bytes)
  }
}

extension [UInt8] {
  /// Appends a length-delimited field of protobuf.
  package mutating func append(field number: UInt8, _ bytes: [UInt8]) {
    append(number << 3 | 2)
    var rest = bytes.count
    while rest > 0x7F {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
    self += bytes
  }
}
