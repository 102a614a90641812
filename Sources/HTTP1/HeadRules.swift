/// What the fields of a head say about the request as a whole, and which of them contradict each other.
extension ReceivedHead {
  /// Checks the fields and derives the rest from them.
  mutating func complete(host: String?) throws(RequestFault) {
    try refuseRepetitions()
    try checkHost(host)
    body = try framing()
    for word in words(of: "connection") {
      if word == "close" { keepsConnection = false }
      if word == "keep-alive", !isCurrent { keepsConnection = true }
    }
    if let expectation = self["expect"] {
      guard expectation.lowercased() == "100-continue" else {
        throw RequestFault(417, "the only expectation that is met here is 100-continue")
      }
      expectsContinue = isCurrent && body != .none
    }
  }

  private func refuseRepetitions() throws(RequestFault) {
    var singles = SingleFields()
    for field in fields where singles.isRepeated(field.name) { throw .malformed(SingleFields.objection(field.name)) }
  }

  /// - Parameter host: the host in the request's address, which replaces that of the field.
  private mutating func checkHost(_ host: String?) throws(RequestFault) {
    let place = fields.firstIndex { $0.name == "host" }
    if place == nil, isCurrent { throw .malformed("a request of HTTP/1.1 has the header host") }
    guard let name = host ?? self["host"] else { return }
    guard Array(name.utf8)[...].allAre(Characters.host) else {
      throw .malformed("host is a name or an address, and perhaps a port")
    }
    if let place { fields[place] = Field("host", name) } else { fields.append(Field("host", name)) }
  }

  private func framing() throws(RequestFault) -> BodyFraming {
    if let coding = self["transfer-encoding"] {
      guard self["content-length"] == nil else {
        throw .malformed("content-length and transfer-encoding exclude each other")
      }
      guard isCurrent else { throw .malformed("HTTP/1.0 has no transfer-encoding") }
      guard coding.lowercased() == "chunked" else {
        throw RequestFault(501, "transfer-encoding must be 'chunked' alone")
      }
      return .chunked
    }
    guard let length = self["content-length"] else { return .none }
    guard !length.isEmpty, length.utf8.allSatisfy(Characters.isDigit) else {
      throw .malformed("content-length is a number of bytes")
    }
    guard let count = Int(length) else { throw RequestFault(413, "the body is too large") }
    return count == 0 ? .none : .length(count)
  }

  private func words(of name: String) -> [String] {
    fields.filter { $0.name == name }.flatMap { field in
      field.value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    }
  }
}
