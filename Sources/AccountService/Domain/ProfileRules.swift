package import AccountContract
package import Refusals

/// Checks a person's profile: its lengths, its characters and its visible parts.
package enum ProfileRules {
  package static let largestPicture = 256 << 10

  /// The profile as it is stored: checked, and with its initials.
  package static func checked(_ profile: PersonProfile?, _ field: String = "profile") throws(Refusal) -> PersonProfile {
    guard var profile else { throw Refusal(.invalid, "missing", field: field, "\(field) is missing") }
    try checkText(profile.title, atMost: 200, "\(field).title", isRequired: true)
    try checkText(profile.subtitle, atMost: 200, "\(field).subtitle")
    guard profile.items.count <= 20 else {
      let message = "\(field).items has \(profile.items.count) entries; at most 20 are allowed"
      throw Refusal(.invalid, "too_many", field: "\(field).items", message)
    }
    for (index, item) in profile.items.enumerated() {
      try checkText(item.label, atMost: 100, "\(field).items[\(index)].label", isRequired: true)
      try checkText(item.value, atMost: 500, "\(field).items[\(index)].value")
    }
    if !profile.picture.isEmpty { try PictureRules.check(profile.picture, "\(field).picture", atMost: largestPicture) }
    profile.initials = Initials.of(profile.title)
    return profile
  }

  /// The part of a profile that the tenant shows before sign-in.
  package static func visible(_ profile: PersonProfile, _ fields: [ProfileField]) -> PersonProfile {
    let fields = fields.isEmpty ? [.title] : fields
    var seen = PersonProfile()
    if fields.contains(.title) { seen.title = profile.title }
    if fields.contains(.subtitle) { seen.subtitle = profile.subtitle }
    if fields.contains(.items) { seen.items = profile.items }
    if fields.contains(.picture) {
      seen.picture = profile.picture
      seen.initials = profile.initials
    }
    return seen
  }

  /// By what a screen names the person; empty if nothing of the profile is visible. Callers pass the visible part.
  package static func shortName(_ profile: PersonProfile) -> String {
    let words = [profile.title, profile.subtitle] + profile.items.map(\.value) + [profile.initials]
    return words.first { !$0.isEmpty } ?? ""
  }

  /// The text in which a search of people looks. Callers pass only the visible part of a profile.
  package static func searchable(_ profile: PersonProfile) -> String {
    ([profile.title, profile.subtitle] + profile.items.map(\.value)).joined(separator: " ")
  }

  /// Whether the scalar is a letter or a digit that is drawn at all.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return (properties.isAlphabetic || properties.numericType != nil) && !properties.isDefaultIgnorableCodePoint
  }

  /// Text for one line of a screen: no control, bidi or line-breaking characters.
  static func checkText(_ text: String, atMost bound: Int, _ field: String, isRequired: Bool = false) throws(Refusal) {
    guard text.utf8.count <= bound else {
      let message = "\(field) is \(text.utf8.count) bytes long; at most \(bound) are allowed"
      throw Refusal(.invalid, "too_long", field: field, message)
    }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        && !(0x202A...0x202E ~= scalar.value) && !(0x2066...0x2069 ~= scalar.value)
    }
    guard isPlain else {
      let message = "\(field) has control, bidi or line-breaking characters"
      throw Refusal(.invalid, "bad_text", field: field, message)
    }
    if isRequired, text.allSatisfy(\.isWhitespace) {
      throw Refusal(.invalid, "missing", field: field, "\(field) is empty")
    }
    guard !isRequired || text.unicodeScalars.contains(where: isSeen) else {
      let message = "\(field) has no letter and no digit that can be seen"
      throw Refusal(.invalid, "bad_text", field: field, message)
    }
  }
}

/// Pictures are stored and never decoded here. Their size is read from their headers, and one that would fill a
/// client's memory is refused.
package enum PictureRules {
  package static let largestSide = 2048

  package static func check(_ bytes: [UInt8], _ field: String, atMost bound: Int) throws(Refusal) {
    guard bytes.count <= bound else {
      let message = "\(field) has \(bytes.count) bytes; at most \(bound) are allowed"
      throw Refusal(.invalid, "too_long", field: field, message)
    }
    guard let (width, height) = size(of: bytes) else {
      throw Refusal(.invalid, "bad_picture", field: field, "\(field) is no whole PNG or JPEG picture")
    }
    guard (1...largestSide).contains(width), (1...largestSide).contains(height) else {
      let message = "\(field) is \(width) by \(height) pixels; at most \(largestSide) by \(largestSide) are allowed"
      throw Refusal(.invalid, "picture_too_large", field: field, message)
    }
  }

  package static func mediaType(of bytes: [UInt8]) -> String {
    bytes.isEmpty ? "" : bytes.starts(with: png) ? "image/png" : "image/jpeg"
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func size(of bytes: [UInt8]) -> (Int, Int)? {
    if bytes.starts(with: png) {
      let isWhole =
        bytes.count >= 45 && bytes[12..<16].elementsEqual("IHDR".utf8)
        && bytes.suffix(8).prefix(4).elementsEqual("IEND".utf8)
      return isWhole ? (number(bytes[16..<20]), number(bytes[20..<24])) : nil
    }
    guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2).elementsEqual([0xFF, 0xD9]) else { return nil }
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // The markers that start a frame. C4, C8 and CC are among them and mean tables, extensions and conditioning.
      if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (number(bytes[place + 7..<place + 9]), number(bytes[place + 5..<place + 7]))
      }
      place += 2 + number(bytes[place + 2..<place + 4])
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
