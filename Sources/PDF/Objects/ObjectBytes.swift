/// Writes objects as bytes.
extension [UInt8] {
  package mutating func append(_ object: PDFObject) {
    switch object {
    case .null: self += "null".utf8
    case .boolean(let value): self += (value ? "true" : "false").utf8
    case .integer(let value): self += String(value).utf8
    case .real(let thousandths): append(thousandths: thousandths)
    case .decimal(let digits): self += digits.utf8
    case .name(let name): append(name: name)
    case .string(let bytes): append(string: bytes)
    case .array(let values):
      append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { append(UInt8(ascii: " ")) }
        append(value)
      }
      append(UInt8(ascii: "]"))
    case .dictionary(let dictionary): append(dictionary)
    case .stream(let stream):
      append(stream.dictionary)
      self += "stream\n".utf8
      self += stream.bytes
      // Readers and PDF/A demand an end of line here, even after a stream that ends with one.
      self += "\nendstream".utf8
    case .reference(let reference): self += "\(reference.number) \(reference.generation) R".utf8
    }
  }

  private mutating func append(_ dictionary: PDFDictionary) {
    self += "<<".utf8
    for (name, value) in dictionary.entries {
      append(name: name)
      switch value {
      case .name, .string, .array, .dictionary: break
      default: append(UInt8(ascii: " "))
      }
      append(value)
    }
    self += ">>".utf8
  }

  /// `1250` as `1.25`, `1000` as `1`, `-5` as `-.005`.
  package mutating func append(thousandths value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let size = Int(value.magnitude)
    let whole = size / 1000, part = size % 1000
    if whole > 0 || part == 0 { self += String(whole).utf8 }
    guard part > 0 else { return }
    append(UInt8(ascii: "."))
    append(UInt8(ascii: "0") + UInt8(part / 100))
    if part % 100 > 0 { append(UInt8(ascii: "0") + UInt8(part / 10 % 10)) }
    if part % 10 > 0 { append(UInt8(ascii: "0") + UInt8(part % 10)) }
  }

  private mutating func append(name: String) {
    append(UInt8(ascii: "/"))
    for scalar in name.unicodeScalars {
      // Characters beyond a byte occur only in names that this program makes itself.
      if let byte = UInt8(exactly: scalar.value) { append(nameByte: byte) } else { append(nameText: scalar) }
    }
  }

  private mutating func append(nameByte byte: UInt8) {
    let isRegular = (33...126).contains(byte) && !"#/()<>[]{}%".utf8.contains(byte)
    if isRegular { append(byte) } else { self += [UInt8(ascii: "#"), Self.digit(byte >> 4), Self.digit(byte & 15)] }
  }

  private mutating func append(nameText scalar: Unicode.Scalar) {
    for byte in String(scalar).utf8 { append(nameByte: byte) }
  }

  private mutating func append(string bytes: [UInt8]) {
    guard bytes.allSatisfy({ (32...126).contains($0) }) else {
      append(hex: bytes)
      return
    }
    append(UInt8(ascii: "("))
    for byte in bytes {
      if "()\\".utf8.contains(byte) { append(UInt8(ascii: "\\")) }
      append(byte)
    }
    append(UInt8(ascii: ")"))
  }

  package mutating func append(hex bytes: some Collection<UInt8>) {
    append(UInt8(ascii: "<"))
    for byte in bytes {
      append(Self.digit(byte >> 4))
      append(Self.digit(byte & 15))
    }
    append(UInt8(ascii: ">"))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
