/// A language tag (BCP 47) in its usual spelling: language lower case, script capitalised, region upper case.
package struct LocaleTag: Hashable, Sendable {
  package let text: String

  /// nil when `text` is not a language tag: subtags of 1 to 8 letters or digits, the first of 2 or 3 letters.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let subtags = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = subtags.first, (2...3).contains(language.count) else { return nil }
    guard language.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let isWellFormed = subtags.allSatisfy { subtag in
      (1...8).contains(subtag.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isWellFormed else { return nil }
    self.text = subtags.enumerated().map(Self.spelling).joined(separator: "-")
  }

  package static let longest = 35

  package static let english: LocaleTag = {
    guard let tag = LocaleTag("en") else { preconditionFailure("'en' is a language tag") }
    return tag
  }()

  package var language: String { String(text.prefix { $0 != "-" }) }

  /// The two-letter region, such as AT; nil when the tag names none.
  package var region: String? {
    text.split(separator: "-").dropFirst().first { $0.count == 2 && $0.allSatisfy(\.isUppercase) }.map(String.init)
  }

  private var script: String? {
    text.split(separator: "-").dropFirst().first { $0.count == 4 && $0.allSatisfy(\.isLetter) }.map(String.init)
  }

  /// The tag, then the same without its last subtag, down to the bare language: de-AT, de. Chinese is looked for in the
  /// script that its tag implies as well: zh-TW, zh-Hant, zh, and zh, zh-Hans.
  package var fallbacks: [String] {
    var chain = [text]
    while let last = chain.last, let cut = last.lastIndex(of: "-") { chain.append(String(last[..<cut])) }
    if language == "zh", script == nil {
      // The implied script comes after tags that are longer than the bare language, and after the bare language if that
      // is all the tag has.
      chain.insert(["TW", "HK", "MO"].contains(region) ? "zh-Hant" : "zh-Hans", at: max(chain.count - 1, 1))
    }
    return chain
  }

  /// True for languages and scripts that are written from right to left.
  package var isRightToLeft: Bool {
    if let script { return ["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm"].contains(script) }
    return ["ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"].contains(language)
  }

  /// False for countries with paper sizes in inches; the others use A4.
  package var isMetric: Bool {
    let inches: Set<String> = ["US", "CA", "MX", "PH", "CL", "CO", "VE", "GT", "CR", "PA", "DO", "PR", "SV", "NI"]
    return !inches.contains(region ?? (text == "en" ? "US" : ""))
  }

  /// True if the family name comes first: Chinese, Korean, Japanese and Vietnamese.
  package var putsFamilyNameFirst: Bool { ["zh", "ko", "ja", "vi"].contains(language) }

  private static func spelling(index: Int, subtag: Substring) -> String {
    let lower = subtag.lowercased()
    guard index > 0 else { return lower }
    switch lower.count {
    case 2: return lower.uppercased()
    case 4 where lower.allSatisfy(\.isLetter): return lower.prefix(1).uppercased() + lower.dropFirst()
    default: return lower
    }
  }
}

extension LocaleTag: CustomStringConvertible {
  package var description: String { text }
}

extension LocaleTag {
  /// Picks the entry for this locale: exact, then ever shorter, then `standIn`.
  package func pick<Entry>(from entries: [Entry], locale: (Entry) -> String, standIn: String) -> Entry? {
    for tag in fallbacks {
      if let entry = entries.first(where: { locale($0) == tag }) { return entry }
    }
    return entries.first { locale($0) == standIn }
  }
}
