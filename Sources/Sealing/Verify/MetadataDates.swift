/// Removes from metadata (XMP) the dates of its last change, which programs update whenever they add to a file.
enum MetadataDates {
  private static let names = ["ModifyDate", "MetadataDate"].map { Array($0.utf8) }
  private static let longest = 40

  static func removed(from metadata: [UInt8]) -> [UInt8] {
    var rest = metadata[...]
    var kept: [UInt8] = []
    while let byte = rest.first {
      guard let name = names.first(where: { byte == $0[0] && rest.starts(with: $0) }) else {
        kept.append(byte)
        rest.removeFirst()
        continue
      }
      kept += name
      rest.removeFirst(name.count)
      // A date is an element's text or an attribute's value. Anything else in its place is kept.
      for opening in [">", "=\"", "='"] where rest.starts(with: opening.utf8) {
        kept += opening.utf8
        rest.removeFirst(opening.utf8.count)
        let date = rest.prefix { isPartOfDate($0) }
        if date.count <= longest, let next = rest.dropFirst(date.count).first, [0x22, 0x27, 0x3C].contains(next) {
          rest.removeFirst(date.count)
        }
        break
      }
    }
    return kept
  }

  private static func isPartOfDate(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
