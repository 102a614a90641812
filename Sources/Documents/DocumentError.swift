internal import Base

/// Why a document cannot be composed.
public enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Characters that no font here has. They are an error, since boxes in their place must never be signed.
  case unknownCharacters([Unicode.Scalar])
  case fontMissing(name: String, package: String, cause: String)
  /// The document refers to a picture that it does not contain.
  case pictureMissing(name: String)
  case pictureBroken(name: String)
  /// A drawing exceeds the bound on the work or size of one drawing, or of all drawings together.
  case drawingTooLarge(name: String)
  /// The drawings on all pages exceed the bound on their size, since some are shown again and again.
  case tooMuchToDraw(bound: Int)
  case tooManyPages(bound: Int)
  /// A column, of a table or next to a list's labels, is narrower than a letter.
  case tooNarrow(text: String)
  /// Composing was given up before its end, because its time was over.
  case stopped
  case malformed(place: String, finding: String)

  public var description: String {
    switch self {
    case .unknownCharacters(let scalars):
      "the document has characters that none of the fonts here has: "
        + scalars.map(Self.named).joined(separator: ", ")
    case .fontMissing(let name, let package, let cause):
      "the font \(name) of Debian's package \(package) cannot be used where this process runs: \(cause)"
    case .pictureMissing(let name): "the document shows picture \(name), which was not given"
    case .pictureBroken(let name): "picture \(name) is broken, or of a kind that cannot be shown"
    case .drawingTooLarge(let name):
      "drawing \(name) takes too much to draw, by itself or with those before it: it has too many shapes, or uses them "
        + "too often"
    case .tooMuchToDraw(let bound):
      "the document's drawings take more than \(bound) MiB on its pages: it shows them too often"
    case .tooNarrow(let text):
      "a column of the document is too narrow for '\(text.shortened)': a table has too many columns, or lists stand too deep"
    case .tooManyPages(let bound): "the document has more than \(bound) pages"
    case .stopped: "the document was not laid out to its end: the time for it was up"
    case .malformed(let place, let finding): "\(place) \(finding)"
    }
  }

  private static func named(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "'\(scalar)' (\(code)\(scalar.properties.name.map { ", \($0)" } ?? ""))"
  }
}
