internal import Base
internal import HTTP2

extension RequestHead {
  init(_ header: HeaderList, address: String, isSecure: Bool) {
    self.init(method: header[":method"] ?? "", target: header[":path"] ?? "", address: address, isSecure: isSecure)
    isDuplex = true
    isCutShort = header.isCutShort
    header.forEach { name, value in
      if name.equals(":authority") {
        add("host", value.text)
      } else if !name.hasPrefix(":") {
        add(name.text, value.text)
      }
    }
  }
}
