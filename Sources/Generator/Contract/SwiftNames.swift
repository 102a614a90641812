/// The names that the contract has in Swift.
package enum SwiftNames {
  /// `field_id` → `fieldID`, `html_content` → `htmlContent`.
  package static func member(_ name: String) -> String {
    var result = ""
    for word in name.lowercased().split(separator: "_") {
      if result.isEmpty {
        result += word
      } else if let acronym = acronyms[String(word)] {
        result += acronym
      } else {
        // Two numbers side by side would read as one number.
        if word.first?.isNumber == true, result.last?.isNumber == true { result += "_" }
        result += word.prefix(1).uppercased() + word.dropFirst()
      }
    }
    return result
  }

  /// `SECTION_TYPE_DATA_USE` in `SectionType` → `dataUse`; a name without the enum's name in front stays whole.
  package static func enumCase(_ value: String, of enumName: String) -> String {
    let prefix = enumName.upperSnake + "_"
    let bare = value.hasPrefix(prefix) ? String(value.dropFirst(prefix.count)) : value
    let name = member(bare)
    return name.first?.isNumber == true ? "_" + name : name
  }

  /// `RenderBatch` → `renderBatch`.
  package static func method(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// `choice_of_many` → `ChoiceOfMany`.
  package static func oneofType(_ name: String) -> String {
    let member = member(name)
    return member.prefix(1).uppercased() + member.dropFirst()
  }

  /// The name, escaped if Swift needs that in a declaration.
  package static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  private static let acronyms = Dictionary(
    uniqueKeysWithValues: [
      "ID", "IDs", "URL", "URLs", "URI", "HTML", "JSON", "XML", "PNG", "SVG", "PDF", "UUID", "HTTP", "API", "IP",
      "FHIR",
      "CSV", "UI", "UTC", "DPI", "RPC",
    ].map { ($0.lowercased(), $0) })

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct",
    "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as",
    "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]
}

extension String {
  /// `SectionType` → `SECTION_TYPE`.
  fileprivate var upperSnake: String {
    var result = ""
    var wasUpper = true
    for character in self {
      if character.isUppercase, !wasUpper { result += "_" }
      result += character.uppercased()
      wasUpper = character.isUppercase
    }
    return result
  }

}
