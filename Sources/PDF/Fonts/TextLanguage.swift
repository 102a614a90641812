/// What of a language's tag decides how its letters look and where its lines end.
///
/// The libraries that are asked about a language keep its name for ever, and HarfBuzz looks for it among all that it
/// ever heard. So they hear no more than there are languages, and ways to write them.
public struct TextLanguage: Hashable, Sendable {
  /// In lower case, such as de or zh-hant-hk; und for what is no language.
  public let tag: String

  public init(_ text: String) {
    // A tag that is longer has nothing to say in its end.
    let parts = String(decoding: text.utf8.prefix(35), as: UTF8.self).lowercased()
      .split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let language = parts.first, (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ 0x61...0x7A ~= $0 })
    else {
      tag = "und"
      return
    }
    let ways = (Self.ways[language] ?? []).filter(parts.dropFirst().contains)
    tag = ([language] + ways).joined(separator: "-")
  }

  /// Scripts, places and spellings in which letters look differently, in the order of a tag.
  private static let ways: [String: [String]] = [
    "zh": chinese, "cmn": chinese, "hak": chinese, "nan": chinese, "wuu": chinese, "yue": chinese,
    "el": ["polyton"], "ga": ["latg"], "ro": ["md"],
  ]
  private static let chinese = ["hans", "hant", "hk", "mo", "tw"]
}
