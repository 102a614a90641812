internal import Base
internal import HTTP2

extension RequestHead {
  /// The head of a request over HTTP/2, whose names are in lower case: libnghttp2 passes on no others.
  init(_ header: HeaderList, address: String, isSecure: Bool) {
    self.init(method: header[":method"] ?? "", target: header[":path"] ?? "", address: address, isSecure: isSecure)
    isDuplex = true
    isCutShort = header.isCutShort
    headers.reserveCapacity(header.count)
    header.forEach { name, value in
      if name.equals(":authority") {
        add(lowercased: "host", value.text)
      } else if !name.hasPrefix(":") {
        add(lowercased: name.text, value.text)
      }
    }
  }
}
