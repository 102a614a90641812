internal import PDF

/// The region whose shapes Chinese characters have: the same character is written differently in each.
enum HanVariant: Int {
  // The order of the faces in the file of Noto Sans CJK.
  case japan = 0
  case korea
  case mainlandChina
  case taiwan
  case hongKong

  /// By the language of a text, otherwise by its other characters: kana show Japanese, hangul Korean.
  init(language: String, _ systems: Set<WritingSystem>) {
    let parts = language.lowercased().split(separator: "-").map(String.init)
    switch parts.first {
    case "ja": self = .japan
    case "ko": self = .korea
    case "yue": self = .hongKong
    case "zh", "cmn", "wuu", "nan", "hak": self = Self.chinese(parts)
    default:
      let codes = Set(systems.map(\.code))
      if !codes.isDisjoint(with: ["Hira", "Kana"]) {
        self = .japan
      } else if codes.contains("Hang") {
        self = .korea
      } else if codes.contains("Bopo") {
        self = .taiwan
      } else {
        self = .mainlandChina
      }
    }
  }

  private static func chinese(_ parts: [String]) -> HanVariant {
    if parts.contains("hk") || parts.contains("mo") { return parts.contains("hans") ? .mainlandChina : .hongKong }
    if parts.contains("hant") || (parts.contains("tw") && !parts.contains("hans")) { return .taiwan }
    return .mainlandChina
  }
}
