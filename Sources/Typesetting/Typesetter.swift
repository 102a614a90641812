internal import Base
public import Ink

/// Sets names in letters, as large as fits on a canvas.
public final class Typesetter: Sendable {
  private let fonts: FontCache

  /// Where Debian's packages put fonts.
  public static let usualFolder = "/usr/share/fonts"

  /// The version of HarfBuzz, which together with the fonts determines how letters are set.
  package static var libraryVersion: String { Typeface.libraryVersion }

  /// - Parameter folder: the folder of all fonts. Each font is read when it is first needed.
  public init(folder: String = Typesetter.usualFolder) {
    fonts = FontCache(folder: folder)
  }

  /// Packages whose fonts are not in the folder.
  public var missingPackages: [String] {
    FontFile.all.filter { !fonts.has($0) }.reduce(into: []) { list, file in
      if !list.contains(file.package) { list.append(file.package) }
    }
  }

  /// The letters of a name on a canvas. The same name, canvas and font files give the same letters and hash.
  public func letters(
    _ name: TypedText, font: NameFont, on canvas: Canvas
  ) throws(TypesettingError) -> Letters {
    try set(name, font: font, on: canvas).letters
  }

  /// The letters of a name, and each font that they came from once.
  public func set(
    _ name: TypedText, font: NameFont, on canvas: Canvas
  ) throws(TypesettingError) -> (letters: Letters, faces: [NameFace]) {
    var faces: [NameFace] = []
    let line = try line(name.text, font, &faces)
    guard let placed = line.placed(on: canvas) else { throw Self.invisible }
    return (Letters(contours: placed, canvas: canvas, hash: Self.hash(name, line.fonts, canvas)), faces)
  }

  static let invisible = TypesettingError(reason: .invisible, description: "text has nothing that can be seen")

  /// - Parameter faces: gets each font that letters came from, once.
  func line(
    _ text: String, _ font: NameFont, _ faces: inout [NameFace]
  ) throws(TypesettingError) -> Line {
    var line = Line()
    for run in Run.inOrder(text) {
      let (file, face, glyphs) = try set(run, from: font.files)
      line.add(glyphs, of: face)
      let used = NameFace(name: file.title, isPlain: file.isPlain)
      if !faces.contains(used) { faces.append(used) }
    }
    return line
  }

  /// Sets a run in the first font that has all of its letters.
  private func set(
    _ run: Run, from files: [FontFile]
  ) throws(TypesettingError) -> (file: FontFile, face: Typeface, glyphs: [Typeface.Glyph]) {
    var missing: [Set<Int>] = []
    for file in files where file.isFor(run.script) {
      let face = try fonts.face(file)
      let glyphs = face.glyphs(of: run)
      let gaps = Set(glyphs.filter(\.isMissing).map(\.scalar))
      if gaps.isEmpty { return (file, face, glyphs) }
      missing.append(gaps)
    }
    throw Self.unknownLetter(Self.worst(missing).map { run.scalars[$0] })
  }

  /// The letter to blame in the error: the first one that no font has. If each letter is in some font but no font has
  /// them all, the first one that is missing from the font that gets farthest.
  private static func worst(_ missing: [Set<Int>]) -> Int? {
    let everywhere = missing.dropFirst().reduce(missing.first ?? []) { $0.intersection($1) }
    return everywhere.min() ?? missing.compactMap { $0.min() }.max()
  }

  private static func unknownLetter(_ scalar: Unicode.Scalar?) -> TypesettingError {
    let scalar = scalar ?? "\u{FFFD}"
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let name = scalar.properties.name.map { ", \($0)" } ?? ""
    return TypesettingError(
      reason: .unknownLetter,
      description:
        "text has '\(scalar)' (\(code)\(name)), which none of the fonts here has; they write Latin, Greek, Cyrillic, "
        + "Armenian, Georgian, Hebrew, Arabic, Thaana, Ethiopic, Thai, Lao, Khmer, Burmese, Tibetan, Sinhala, the scripts "
        + "of India, Hangul, Chinese and Japanese")
  }

  private static func hash(_ name: TypedText, _ fonts: [Digest], _ canvas: Canvas) -> Digest {
    var builder = DigestBuilder()
    builder.update("assent typed name 1 harfbuzz \(Typeface.libraryVersion)")
    builder.update(" \(canvas.width.bitPattern) \(canvas.height.bitPattern) \(fonts.count) ")
    for font in fonts { builder.update(font.bytes) }
    builder.update(name.text)
    return builder.finish()
  }
}
