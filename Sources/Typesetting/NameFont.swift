/// The fonts for typed names, the default first.
public enum NameFont: String, CaseIterable, Sendable {
  /// Lively letters as of a pen or a brush: Latin letters of western European languages, Hangul, Arabic, Thai,
  /// Devanagari and Chinese characters. Other names are written in plain letters, and the answer says so.
  case script
  case plain

  /// The files that letters are taken from: each run uses the first file that is for its script and has all of its
  /// letters.
  var files: [FontFile] {
    switch self {
    case .script: [.dancingScript, .nanumPen, .amiri, .purisa, .annapurna, .ukai] + Self.plain.files
    case .plain: FontFile.noto + [.dejaVu, .nanumGothic, .droidFallback]
    }
  }
}

/// A font that letters of a name came from.
public struct NameFace: Hashable, Sendable {
  /// The font's own name.
  public let name: String
  /// Whether its letters are printed ones, not handwriting.
  public let isPlain: Bool
}

/// A font's file, as Debian installs it.
struct FontFile: Hashable {
  let package: String
  /// Relative to the folder of all fonts, usually /usr/share/fonts.
  let path: String
  let title: String
  /// The codes of the scripts that it is used for; nil for all that it has letters of.
  let scripts: [String]?
  let isPlain: Bool

  private init(
    _ package: String, _ path: String, _ title: String, for scripts: [String]? = nil, isPlain: Bool = false
  ) {
    (self.package, self.path, self.title, self.scripts, self.isPlain) = (package, path, title, scripts, isPlain)
  }

  static let dancingScript = FontFile(
    "fonts-dancingscript", "opentype/dancingscript/DancingScript-Regular.otf", "Dancing Script")
  static let nanumPen = FontFile("fonts-nanum-extra", "truetype/nanum/NanumPen.ttf", "Nanum Pen", for: ["Hang"])
  static let amiri = FontFile(
    "fonts-hosny-amiri", "opentype/fonts-hosny-amiri/Amiri-Regular.ttf", "Amiri", for: ["Arab"])
  static let purisa = FontFile("fonts-tlwg-purisa-ttf", "truetype/tlwg/Purisa.ttf", "Purisa", for: ["Thai"])
  static let annapurna = FontFile(
    "fonts-sil-annapurna", "truetype/annapurna/AnnapurnaSIL-Regular.ttf", "Annapurna SIL", for: ["Deva"])
  static let ukai = FontFile("fonts-arphic-ukai", "truetype/arphic/ukai.ttc", "AR PL UKai", for: ["Hani"])

  static let dejaVu = FontFile("fonts-dejavu-core", "truetype/dejavu/DejaVuSans.ttf", "DejaVu Sans", isPlain: true)
  static let nanumGothic = FontFile(
    "fonts-nanum", "truetype/nanum/NanumGothic.ttf", "NanumGothic", for: ["Hang"], isPlain: true)
  /// The scripts that documents have and other fonts here do not, each with Noto's font for it.
  static let noto = [
    notoFont("Bengali", "Beng"), notoFont("Devanagari", "Deva"), notoFont("Ethiopic", "Ethi"),
    notoFont("Gujarati", "Gujr"),
    notoFont("Gurmukhi", "Guru"), notoFont("Kannada", "Knda"), notoFont("Khmer", "Khmr"), notoFont("Lao", "Laoo"),
    notoFont("Malayalam", "Mlym"), notoFont("Myanmar", "Mymr"), notoFont("Oriya", "Orya"), notoFont("Sinhala", "Sinh"),
    notoFont("Tamil", "Taml"), notoFont("Telugu", "Telu"), notoFont("Thaana", "Thaa"), notoFont("Thai", "Thai"),
    notoFont("Tibetan", "Tibt", style: "Serif"),
  ]

  private static func notoFont(_ name: String, _ script: String, style: String = "Sans") -> FontFile {
    FontFile(
      "fonts-noto-core", "truetype/noto/Noto\(style)\(name)-Regular.ttf", "Noto \(style) \(name)", for: [script],
      isPlain: true)
  }

  static let droidFallback = FontFile(
    "fonts-droid-fallback", "truetype/droid/DroidSansFallbackFull.ttf", "Droid Sans Fallback", isPlain: true)

  static let all: [FontFile] = NameFont.script.files

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  func isFor(_ script: Script) -> Bool { scripts?.contains(script.code) ?? true }
}
