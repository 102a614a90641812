/// The fonts that a name may be typed in, the default first.
public enum NameFont: String, CaseIterable, Sendable {
  /// A lively hand, for the letters of western European languages. Others are written plainly.
  case script
  case plain

  /// Whose letters are taken: from the first file that has all of a run of one script.
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
  /// From the folder of all fonts, usually /usr/share/fonts.
  let path: String

  static let dancingScript = FontFile(
    package: "fonts-dancingscript", path: "opentype/dancingscript/DancingScript-Regular.otf")
  static let dejaVu = FontFile(package: "fonts-dejavu-core", path: "truetype/dejavu/DejaVuSans.ttf")
  static let droidFallback = FontFile(
    package: "fonts-droid-fallback", path: "truetype/droid/DroidSansFallbackFull.ttf")

  static let all: [FontFile] = [.dancingScript, .dejaVu, .droidFallback]

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
