/// gRPC's status codes, with names and explanations from proto/assent/options.proto.
package struct StatusCodes {
  private let codes: OptionEnum

  /// Codes that a method may answer with although it does not list them.
  package static let ofEveryMethod: Set = [1, 3, 4, 7, 8, 10, 12, 13, 14, 15, 16]

  init(_ set: DescriptorSet) {
    codes = OptionEnum("assent.MethodError.Code", in: set)
  }

  func name(of code: Int) throws(GeneratorError) -> String { "`\(try codes.name(of: code))`" }

  /// Rows of a table: the codes that every method can answer with, or those that a method has to list.
  func rows(ofEveryMethod: Bool) -> [[String]] {
    codes.values.filter { Self.ofEveryMethod.contains($0.number) == ofEveryMethod }.map {
      ["`\($0.name)`", "\($0.number)", MarkdownText.cell($0.comment)]
    }
  }
}
