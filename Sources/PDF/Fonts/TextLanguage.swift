/// The parts of a language tag that decide how letters look and where lines may end.
///
/// ICU and HarfBuzz keep the name of each language that they are asked about for ever, and HarfBuzz searches all of
/// them. So they are asked about a bounded number of names only.
public struct TextLanguage: Hashable, Sendable {
  /// In lower case, such as de or zh-hant-hk; und if the text is no language.
  public let tag: String

  public init(_ text: String) {
    // Nothing that matters comes later in a tag.
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

  /// Scripts, regions and spellings in which letters look different, in the order in which a tag has them.
  private static let ways: [String: [String]] = [
    "zh": chinese, "cmn": chinese, "hak": chinese, "nan": chinese, "wuu": chinese, "yue": chinese,
    "el": ["polyton"], "ga": ["latg"], "ro": ["md"],
  ]
  private static let chinese = ["hans", "hant", "hk", "mo", "tw"]
}
