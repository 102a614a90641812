internal import Base
public import Ink

extension Typesetter {
  /// The letters of the words below ink, in the ink's coordinates, on a canvas with room for both; nil if there are no
  /// words.
  ///
  /// A line has a seventh of the canvas's height, but 14 to 40 pixels. Letters of a line that is too long are made
  /// smaller.
  /// The same words, canvas and font files give the same letters and hash.
  public func words(
    _ inscription: Inscription, below canvas: Canvas
  ) throws(TypesettingError) -> (letters: Letters, faces: [NameFace])? {
    guard inscription != .none else { return nil }
    let height = Float(min(max(canvas.height / 7, 14), 40)), width = Float(canvas.width)
    var contours: [Letters.Contour] = []
    var faces: [NameFace] = []
    var hash = DigestBuilder()
    hash.update("assent inscription 1 harfbuzz \(Self.libraryVersion)")
    hash.update(" \(canvas.width.bitPattern) \(canvas.height.bitPattern)")
    for (index, text) in inscription.lines.enumerated() {
      let line = try line(text, .plain, &faces)
      // The margins are as wide as beside a typed name.
      let placed = line.placed(
        within: width / 12...width * 11 / 12, baseline: Float(canvas.height) + height * (Float(index) + 0.72),
        em: height * 0.7, fromRight: Run.isReadFromRight(text))
      guard let placed else { throw Self.invisible }
      contours += placed
      hash.update(" \(text.utf8.count) \(text) \(line.fonts.count) ")
      for font in line.fonts { hash.update(font.bytes) }
    }
    var whole = canvas
    whole.height += Double(height) * (Double(inscription.lines.count) + 0.25)
    return (Letters(contours: contours, canvas: whole, hash: hash.finish()), faces)
  }
}
