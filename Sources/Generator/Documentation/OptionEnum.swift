/// An enum of proto/assent/options.proto, whose names and comments the pages show.
struct OptionEnum {
  /// The enum's values, without the one for "not stated".
  let values: [EnumType.Value]

  /// - Parameter name: the full name, such as `assent.Permission.Role`.
  init(_ name: String, in set: DescriptorSet) {
    let messages = set.files.filter { $0.name == "assent/options.proto" }.flatMap(\.messages)
    values = messages.flatMap(\.enums).filter { $0.fullName == name }.flatMap(\.values).filter { $0.number != 0 }
  }

  /// A value's name in the contract, `NOT_FOUND` for example.
  func name(of number: Int) throws(GeneratorError) -> String {
    guard let value = values.first(where: { $0.number == number }) else {
      throw GeneratorError("an option of a method has the value \(number), for which options.proto has no name")
    }
    return value.name
  }

  /// A value's name in a sentence: `guardian of`.
  func word(for number: Int) throws(GeneratorError) -> String {
    try name(of: number).lowercased().replacing("_", with: " ")
  }
}
