internal import CText
internal import Synchronization

/// A writing system, by its code in ISO 15924.
public struct WritingSystem: Hashable, Sendable {
  let tag: UInt32

  /// Characters that all scripts use.
  public static let common = WritingSystem(tag: HB_SCRIPT_COMMON.rawValue)
  /// Characters, such as marks, that take the script of the letter before them.
  public static let inherited = WritingSystem(tag: HB_SCRIPT_INHERITED.rawValue)

  public init(of scalar: Unicode.Scalar) {
    tag = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value).rawValue
  }

  init(tag: UInt32) {
    self.tag = tag
  }

  /// Its code in four letters: Latn, Arab, Deva.
  public var code: String {
    String(String.UnicodeScalarView([24, 16, 8, 0].map { Unicode.Scalar(UInt8(tag >> $0 & 255)) }))
  }
}

/// A glyph in its line. Lengths are in thousandths of an em.
public struct ShapedGlyph: Hashable, Sendable {
  public let number: UInt32
  /// The index of the first character that it stands for.
  public let cluster: Int
  public let advance: Int
  public let offsetX: Int
  public let offsetY: Int
  /// Whether a line may end before its cluster without changing any glyph.
  public let isSafeToBreak: Bool
}

extension FontProgram {
  /// Programs that extract text reverse a right-to-left line glyph by glyph, so the letters of a ligature would come
  /// out in the wrong order. Ligatures that the script requires are kept.
  private static let withoutOptionalLigatures: [hb_feature_t] = ["liga", "clig", "dlig"].map { name in
    hb_feature_t(tag: tag(name), value: 0, start: 0, end: UInt32.max)
  }

  private static let languages = KnownLanguages()

  /// Whether the font has a glyph of its own for a character.
  public func has(_ scalar: UInt32) -> Bool {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(font, scalar, &glyph) != 0 && glyph != 0
  }

  /// The most marks of a letter that HarfBuzz gets at once, since it searches for the letter again from each of them.
  private static let mostMarks = 64

  /// Shapes a part of a text, with the font's ligatures, joined letters and kerning, and with regard to what surrounds
  /// the part. Returns its glyphs from left to right.
  public func shape(
    _ text: [UInt32], in range: Range<Int>, _ system: WritingSystem, isRightToLeft: Bool, language: String
  ) -> [ShapedGlyph] {
    var parts = Self.parts(of: text, in: range)
    if isRightToLeft { parts.reverse() }
    return parts.flatMap { shapeAtOnce(text, in: $0, system, isRightToLeft: isRightToLeft, language: language) }
  }

  /// Cuts a range into pieces in which no letter has too many marks. Only meaningless text has more than one piece.
  private static func parts(of text: [UInt32], in range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, marks) = (range.lowerBound, 0)
    for place in range {
      marks = ctext_is_mark(text[place]) != 0 || ctext_is_ignorable(text[place]) != 0 ? marks + 1 : 0
      if marks > mostMarks {
        parts.append(start..<place)
        (start, marks) = (place, 1)
      }
    }
    return parts + [start..<range.upperBound]
  }

  private func shapeAtOnce(
    _ text: [UInt32], in range: Range<Int>, _ system: WritingSystem, isRightToLeft: Bool, language: String
  ) -> [ShapedGlyph] {
    guard let buffer = unsafe hb_buffer_create() else { preconditionFailure("no memory for a line") }
    defer { unsafe hb_buffer_destroy(buffer) }
    unsafe hb_buffer_add_codepoints(
      buffer, text, Int32(text.count), UInt32(range.lowerBound), Int32(range.count))
    // All properties are set, because HarfBuzz would guess missing ones from the process's locale.
    unsafe hb_buffer_set_direction(buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_t(rawValue: system.tag))
    unsafe hb_buffer_set_language(buffer, Self.languages.handle(of: TextLanguage(language)))
    // Marks keep their own clusters, so that each glyph stands for its own text where that is possible.
    unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
    unsafe hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES)
    if isRightToLeft {
      unsafe hb_shape(font, buffer, Self.withoutOptionalLigatures, UInt32(Self.withoutOptionalLigatures.count))
    } else {
      unsafe hb_shape(font, buffer, nil, 0)
    }
    var count: UInt32 = 0
    guard let glyphs = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let places = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    else { return [] }
    let units = unitsPerEm
    return (0..<Int(count)).map { index in
      let (glyph, place) = unsafe (glyphs[index], places[index])
      return ShapedGlyph(
        number: glyph.codepoint, cluster: Int(glyph.cluster),
        advance: Self.thousandths(Int(place.x_advance), of: units),
        offsetX: Self.thousandths(Int(place.x_offset), of: units),
        offsetY: Self.thousandths(Int(place.y_offset), of: units),
        isSafeToBreak: glyph.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue == 0)
    }
  }
}

/// HarfBuzz's handles of languages. It finds a language by a linear search of all that it knows, so it is asked once
/// for each.
private final class KnownLanguages: Sendable {
  private let handles = Mutex<[TextLanguage: Handle]>([:])

  /// `@unchecked` because HarfBuzz never frees or changes the language.
  @safe private struct Handle: @unchecked Sendable {
    let pointer: hb_language_t?
  }

  func handle(of language: TextLanguage) -> hb_language_t? {
    let handle = handles.withLock { handles in
      if let known = handles[language] { return known }
      let made = unsafe Handle(pointer: hb_language_from_string(language.tag, -1))
      handles[language] = made
      return made
    }
    return unsafe handle.pointer
  }
}
