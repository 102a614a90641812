internal import Base
internal import Ink
package import Refusals
package import SignatureContract
package import Typesetting

extension FieldChecks {
  /// The fonts that a typed name may be written in, the default first.
  package static let fonts = NameFont.allCases.map(\.rawValue)

  /// A name with normalised spaces and its font filled in.
  package static func typed(
    _ name: TypedName?, _ path: String = "name"
  ) throws(Refusal) -> (text: TypedText, font: NameFont) {
    guard let name else { throw missing(path) }
    for (part, line) in zip(Inscription(name.inscription).parts, ["name", "date", "reason"]) {
      try self.text(part, "\(path).inscription.\(line)", 0...100)
    }
    let text: TypedText
    if name.text.utf8.count <= TypedText.mostBytes, !name.text.allSatisfy(\.isWhitespace) {
      do throws(NameRule.Fault) {
        try NameRule.check(name.text)
      } catch {
        throw refusal("\(path).text", error.finding, error.requirement, rule: error.rule)
      }
    }
    do throws(InkError) {
      text = try TypedText(validating: name.text, path: "\(path).text")
    } catch {
      throw refusal(error.path, error.finding, error.requirement, rule: "typed_text_out_of_bounds")
    }
    guard let font = name.font.isEmpty ? NameFont.allCases[0] : NameFont(rawValue: name.font) else {
      throw refusal(
        "\(path).font", "is '\(name.font.shortened)'", "fonts offered: \(fonts.joined(separator: ", "))",
        rule: "unknown_font")
    }
    return (text, font)
  }
}

extension TypedName {
  /// The stored form of a name.
  package init(_ name: (text: TypedText, font: NameFont)) {
    self.init(text: name.text.text, font: name.font.rawValue, inscription: nil)
  }
}
