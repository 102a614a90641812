/// The names that protoc-c gives to C declarations.
enum CNames {
  /// `assent.bus.v1.Envelope` → `Assent__Bus__V1__Envelope`.
  static func type(_ fullName: String) -> String {
    fullName.split(separator: ".").map { camel($0) }.joined(separator: "__")
  }

  /// `assent.bus.v1.HelloAck` → `assent__bus__v1__hello_ack`.
  static func function(_ fullName: String) -> String {
    fullName.split(separator: ".").map { lower($0) }.joined(separator: "__")
  }

  /// `assent.bus.v1.HelloAck` → `ASSENT__BUS__V1__HELLO_ACK`.
  static func constant(_ fullName: String) -> String {
    function(fullName).uppercased()
  }

  /// The member of a struct, by its name in Swift. protoc-c puts an underscore behind C's keywords.
  static func member(_ field: String) -> String {
    let name = field.lowercased()
    if keywords.contains(name) { return name + "_" }
    return SwiftNames.escaped(name)
  }

  private static func camel(_ piece: Substring) -> String {
    var result = ""
    var nextIsUpper = true
    for character in piece {
      if character == "_" {
        nextIsUpper = true
      } else {
        result += nextIsUpper ? character.uppercased() : String(character)
        nextIsUpper = false
      }
    }
    return result
  }

  private static func lower(_ piece: Substring) -> String {
    var result = ""
    var wasUpper = true
    for character in piece {
      if character.isUppercase, !wasUpper { result += "_" }
      result += character.lowercased()
      wasUpper = character.isUppercase
    }
    return result
  }

  /// protoc-c's own list.
  private static let keywords: Set<String> = [
    "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
    "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
    "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "return", "short", "signed", "sizeof", "static", "static_cast", "struct", "switch", "template", "this", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq",
  ]
}
