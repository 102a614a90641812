internal import PDF

/// A font's file, as Debian installs it.
struct FontFile: Hashable {
  let package: String
  /// Relative to the folder of all fonts.
  let path: String
  /// Which of the faces in the file.
  var face = 0

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  private static func noto(_ name: String) -> FontFile {
    FontFile(package: "fonts-noto-core", path: "truetype/noto/\(name).ttf")
  }

  /// The font for Chinese, Japanese and Korean: one file with a face for each region.
  private static func eastAsian(_ variant: HanVariant, isBold: Bool) -> FontFile {
    FontFile(
      package: "fonts-noto-cjk", path: "opentype/noto/NotoSansCJK-\(isBold ? "Bold" : "Regular").ttc",
      face: variant.rawValue)
  }

  static let monospaced = FontFile(package: "fonts-dejavu-core", path: "truetype/dejavu/DejaVuSansMono.ttf")
  static let dejaVu = FontFile(package: "fonts-dejavu-core", path: "truetype/dejavu/DejaVuSans.ttf")
  static let regular = noto("NotoSans-Regular")
  /// One file of each package, to check whether packages are installed.
  static let needed = [regular, eastAsian(.japan, isBold: false), dejaVu]

  /// The files to try for a writing system, best first. The last ones are for symbols.
  static func candidates(_ system: String, _ style: InlineStyle, _ variant: HanVariant) -> [FontFile] {
    var files: [FontFile] = []
    if style.isMonospaced { files.append(monospaced) }
    let weight = style.isBold ? "Bold" : "Regular"
    let latin: FontFile =
      switch (style.isBold, style.isItalic) {
      case (true, true): noto("NotoSans-BoldItalic")
      case (true, false): noto("NotoSans-Bold")
      case (false, true): noto("NotoSans-Italic")
      case (false, false): regular
      }
    if let family = families[system] { files.append(noto("\(family)-\(weight)")) }
    let eastAsian = Self.eastAsian(variant, isBold: style.isBold)
    if eastAsianSystems.contains(system) { files.append(eastAsian) }
    return files + [
      latin, eastAsian, dejaVu, noto("NotoSansSymbols-\(weight)"), noto("NotoSansSymbols2-Regular"),
      noto("NotoSansMath-Regular"),
    ]
  }

  /// Whether bold text in a file is drawn with a line around each letter, because there is no bold face.
  func isEmboldened(_ style: InlineStyle) -> Bool { style.isBold && !path.contains("Bold") }

  private static let eastAsianSystems: Set<String> = ["Hani", "Hira", "Kana", "Bopo", "Hang"]

  /// By ISO 15924. Latin, Greek and Cyrillic are in Noto Sans itself.
  private static let families = [
    "Arab": "NotoSansArabic", "Armn": "NotoSansArmenian", "Beng": "NotoSansBengali",
    "Cans": "NotoSansCanadianAboriginal", "Deva": "NotoSansDevanagari", "Ethi": "NotoSansEthiopic",
    "Geor": "NotoSansGeorgian", "Gujr": "NotoSansGujarati", "Guru": "NotoSansGurmukhi", "Hebr": "NotoSansHebrew",
    "Khmr": "NotoSansKhmer", "Knda": "NotoSansKannada", "Laoo": "NotoSansLao", "Mlym": "NotoSansMalayalam",
    "Mymr": "NotoSansMyanmar", "Orya": "NotoSansOriya", "Sinh": "NotoSansSinhala", "Taml": "NotoSansTamil",
    "Telu": "NotoSansTelugu", "Thaa": "NotoSansThaana", "Thai": "NotoSansThai", "Tibt": "NotoSerifTibetan",
  ]
}
