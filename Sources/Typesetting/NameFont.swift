/// The fonts for typed names, the default first.
public enum NameFont: String, CaseIterable, Sendable {
  /// A script font for the letters of western European languages. Other names are written in the plain font.
  case script
  case plain

  /// The files to take letters from: each run uses the first file that has all of its letters.
  var files: [FontFile] {
    switch self {
    case .script: [.dancingScript, .dejaVu, .droidFallback]
    case .plain: [.dejaVu, .droidFallback]
    }
  }
}

/// A font's file, as Debian installs it.
struct FontFile: Hashable {
  let package: String
  /// Relative to the folder of all fonts, usually /usr/share/fonts.
  let path: String

  static let dancingScript = FontFile(
    package: "fonts-dancingscript", path: "opentype/dancingscript/DancingScript-Regular.otf")
  static let dejaVu = FontFile(package: "fonts-dejavu-core", path: "truetype/dejavu/DejaVuSans.ttf")
  static let droidFallback = FontFile(
    package: "fonts-droid-fallback", path: "truetype/droid/DroidSansFallbackFull.ttf")

  static let all: [FontFile] = [.dancingScript, .dejaVu, .droidFallback]

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
