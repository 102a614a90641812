public import Base
internal import CText

/// A font with TrueType or CFF outlines, with what a PDF file needs of it: widths, measures, and subsets.
@safe public final class FontProgram: Sendable {
  /// The hash of the file's bytes.
  public let hash: Digest
  public let unitsPerEm: Int
  /// The PostScript name.
  public let name: String
  public let measures: Measures
  let outlines: Outlines
  /// HarfBuzz allows any thread to use it, since it never changes once it is made.
  private nonisolated(unsafe) let face: OpaquePointer
  nonisolated(unsafe) let font: OpaquePointer

  /// In thousandths of an em.
  public struct Measures: Sendable {
    public let ascent, descent, capHeight, xHeight, italicAngle: Int
    public let box: [Int]
  }

  enum Outlines {
    case trueType, compact
  }

  /// - Parameters:
  ///   - bytes: a font file. The result is nil for anything else.
  ///   - index: which of the faces in the file.
  public init?(_ bytes: [UInt8], face index: Int = 0) {
    hash = Digest(of: bytes)
    let blob = unsafe bytes.withUnsafeBytes { buffer in
      unsafe hb_blob_create(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(buffer.count), HB_MEMORY_MODE_DUPLICATE, nil,
        nil)
    }
    guard let face = unsafe hb_face_create(blob, UInt32(index)) else { return nil }
    unsafe hb_blob_destroy(blob)
    let isTrueType = unsafe Self.length(of: "glyf", in: face) > 0
    guard unsafe hb_face_get_glyph_count(face) > 0, unsafe isTrueType || Self.length(of: "CFF ", in: face) > 0,
      let font = unsafe hb_font_create(face)
    else {
      unsafe hb_face_destroy(face)
      return nil
    }
    unsafe hb_face_make_immutable(face)
    unsafe hb_font_make_immutable(font)
    outlines = isTrueType ? .trueType : .compact
    unsafe self.face = face
    unsafe self.font = font
    let units = Int(unsafe hb_face_get_upem(face))
    unitsPerEm = units
    name = unsafe Self.postScriptName(of: face) ?? "Font"
    measures = unsafe Self.measures(font, face, units)
  }

  deinit {
    unsafe hb_font_destroy(font)
    unsafe hb_face_destroy(face)
  }

  /// A glyph's width in thousandths of an em.
  public func width(of glyph: UInt32) -> Int {
    Self.thousandths(Int(unsafe hb_font_get_glyph_h_advance(font, glyph)), of: unitsPerEm)
  }

  /// A subset of the font, as a file or as a table of CFF, and each glyph's number in it. It always has glyph 0.
  func subset(_ glyphs: some Sequence<UInt32>) -> (bytes: [UInt8], numbers: [UInt32: UInt32])? {
    guard let input = unsafe hb_subset_input_create_or_fail() else { return nil }
    defer { unsafe hb_subset_input_destroy(input) }
    let wanted = unsafe hb_subset_input_glyph_set(input)
    for glyph in glyphs { unsafe hb_set_add(wanted, glyph) }
    // Tables for layout are dropped, since text is laid out already, and hints, since they are for coarse screens.
    let dropped = unsafe hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG)
    for table in ["GSUB", "GPOS", "GDEF", "BASE", "JSTF", "name", "OS/2", "post", "cmap", "STAT", "meta", "DSIG"] {
      unsafe hb_set_add(dropped, Self.tag(table))
    }
    unsafe hb_subset_input_set_flags(
      input, UInt32(HB_SUBSET_FLAGS_NO_HINTING.rawValue | HB_SUBSET_FLAGS_NOTDEF_OUTLINE.rawValue))
    guard let plan = unsafe hb_subset_plan_create_or_fail(face, input) else { return nil }
    defer { unsafe hb_subset_plan_destroy(plan) }
    guard let result = unsafe hb_subset_plan_execute_or_fail(plan) else { return nil }
    defer { unsafe hb_face_destroy(result) }
    let map = unsafe hb_subset_plan_old_to_new_glyph_mapping(plan)
    var numbers: [UInt32: UInt32] = [:]
    for glyph in glyphs { numbers[glyph] = unsafe hb_map_get(map, glyph) }
    let blob =
      unsafe outlines == .trueType
      ? hb_face_reference_blob(result) : hb_face_reference_table(result, Self.tag("CFF "))
    defer { unsafe hb_blob_destroy(blob) }
    var length: UInt32 = 0
    guard let data = unsafe hb_blob_get_data(blob, &length), length > 0 else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
    guard outlines == .compact else { return (bytes, numbers) }
    // Pages name these glyphs by the identifiers that the table gives them.
    guard let table = CompactFont(bytes) else { return nil }
    return (bytes, numbers.mapValues(table.identifier))
  }

  static func tag(_ name: String) -> UInt32 {
    name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func length(of table: String, in face: OpaquePointer) -> Int {
    let blob = unsafe hb_face_reference_table(face, tag(table))
    defer { unsafe hb_blob_destroy(blob) }
    return Int(unsafe hb_blob_get_length(blob))
  }

  private static func postScriptName(of face: OpaquePointer) -> String? {
    var length: UInt32 = 64
    var room = [CChar](repeating: 0, count: 64)
    let id = UInt32(HB_OT_NAME_ID_POSTSCRIPT_NAME)
    _ = unsafe hb_ot_name_get_utf8(face, id, hb_language_from_string("en", -1), &length, &room)
    let name = String(decoding: room.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return plain.isEmpty ? nil : plain
  }

  private static func measures(_ font: OpaquePointer, _ face: OpaquePointer, _ units: Int) -> Measures {
    func measure(_ tag: hb_ot_metrics_tag_t) -> Int {
      var value: hb_position_t = 0
      unsafe hb_ot_metrics_get_position_with_fallback(font, tag, &value)
      return thousandths(Int(value), of: units)
    }
    let angle = unsafe hb_style_get_value(font, HB_STYLE_TAG_SLANT_ANGLE)
    return Measures(
      ascent: measure(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER), descent: measure(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER),
      capHeight: measure(HB_OT_METRICS_TAG_CAP_HEIGHT), xHeight: measure(HB_OT_METRICS_TAG_X_HEIGHT),
      italicAngle: Int(angle.rounded()), box: unsafe box(face, units))
  }

  /// The bounding box of all glyphs, from the table `head`.
  private static func box(_ face: OpaquePointer, _ units: Int) -> [Int] {
    let blob = unsafe hb_face_reference_table(face, tag("head"))
    defer { unsafe hb_blob_destroy(blob) }
    var length: UInt32 = 0
    guard let data = unsafe hb_blob_get_data(blob, &length), length >= 44 else { return [0, -250, 1000, 1000] }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
    return [36, 38, 40, 42].map { place in
      thousandths(Int(Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))), of: units)
    }
  }

  static func thousandths(_ value: Int, of units: Int) -> Int {
    Int((Double(value) * 1000 / Double(units)).rounded())
  }
}
