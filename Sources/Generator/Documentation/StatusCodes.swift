/// gRPC's status codes, as proto/assent/options.proto names and explains them.
struct StatusCodes {
  private let values: [EnumType.Value]

  /// Codes that a method may answer with although it does not list them.
  private static let common: Set = [1, 3, 4, 7, 8, 12, 13, 14, 16]

  init(_ set: DescriptorSet) {
    let messages = set.files.filter { $0.name == "assent/options.proto" }.flatMap(\.messages)
    let codes = messages.filter { $0.name == "MethodError" }.flatMap(\.enums).filter { $0.name == "Code" }
    values = codes.flatMap(\.values).filter { $0.number != 0 }
  }

  /// The name of a code as callers see it, `NOT_FOUND` for example.
  func name(of code: Int) throws(GeneratorError) -> String {
    guard let value = values.first(where: { $0.number == code }) else {
      throw GeneratorError("a method states an error with the code \(code), which is none of gRPC's")
    }
    return Self.shown(value)
  }

  /// Rows of a table: the codes that every method can answer with, or those that a method has to list.
  func rows(ofEveryMethod: Bool) -> [[String]] {
    values.filter { Self.common.contains($0.number) == ofEveryMethod }.map {
      [Self.shown($0), "\($0.number)", MarkdownText.cell($0.comment)]
    }
  }

  private static func shown(_ value: EnumType.Value) -> String { "`\(value.name)`" }
}
