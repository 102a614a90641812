internal import Base
internal import CHarfBuzz
internal import Ink

/// A font, read by HarfBuzz: the glyphs of a run and their positions, and their outlines, all in the font's own integer
/// units. Nothing is hinted or scaled, so that the same file gives the same numbers on every machine.
@safe final class Typeface: Sendable {
  /// The hash of the file's bytes.
  let hash: Digest
  let unitsPerEm: Float
  /// HarfBuzz allows any thread to use it, since it never changes once it is made.
  private nonisolated(unsafe) let font: OpaquePointer

  /// Results depend on it: another version may place letters differently.
  static var libraryVersion: String { unsafe String(cString: hb_version_string()) }

  struct Glyph {
    let number: UInt32
    /// The position in the run of the first scalar that the glyph represents.
    let scalar: Int
    let advance: Float
    let offset: SIMD2<Float>

    /// Whether it stands for letters that the font does not have.
    var isMissing: Bool { number == 0 }
  }

  /// - Parameter bytes: a TrueType or OpenType file. The result is nil for anything else.
  init?(_ bytes: [UInt8]) {
    hash = Digest(of: bytes)
    let blob = unsafe bytes.withUnsafeBytes { buffer in
      unsafe hb_blob_create(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(buffer.count), HB_MEMORY_MODE_DUPLICATE, nil,
        nil)
    }
    let face = unsafe hb_face_create(blob, 0)
    unsafe hb_blob_destroy(blob)
    defer { unsafe hb_face_destroy(face) }
    guard unsafe hb_face_get_glyph_count(face) > 0, let font = unsafe hb_font_create(face) else { return nil }
    unsafe hb_font_make_immutable(font)
    unitsPerEm = Float(unsafe hb_face_get_upem(face))
    unsafe self.font = unsafe font
  }

  deinit {
    unsafe hb_font_destroy(font)
  }

  /// The glyphs of a run, from left to right, with the font's ligatures, joined letters and kerning.
  func glyphs(of run: Run) -> [Glyph] {
    guard let buffer = unsafe hb_buffer_create() else { preconditionFailure("no memory for a name") }
    defer { unsafe hb_buffer_destroy(buffer) }
    let values = run.scalars.map(\.value)
    unsafe hb_buffer_add_codepoints(buffer, values, Int32(values.count), 0, Int32(values.count))
    // All properties are set, because HarfBuzz would guess missing ones from the process's locale.
    unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, run.script.shaped)
    unsafe hb_buffer_set_language(buffer, hb_language_from_string("und", -1))
    unsafe hb_shape(font, buffer, nil, 0)
    var count: UInt32 = 0
    guard let glyphs = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let places = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    else { return [] }
    return (0..<Int(count)).map { index in
      let (glyph, place) = unsafe (glyphs[index], places[index])
      return Glyph(
        number: glyph.codepoint, scalar: Int(glyph.cluster), advance: Float(place.x_advance),
        offset: SIMD2(Float(place.x_offset), Float(place.y_offset)))
    }
  }

  /// A glyph's outline, with y upwards, from its own origin.
  func outline(of glyph: Glyph) -> [Letters.Contour] {
    var pen = Pen()
    unsafe withUnsafeMutablePointer(to: &pen) { pen in
      unsafe hb_font_get_glyph_shape(font, glyph.number, Pen.calls, pen)
    }
    return pen.contours
  }
}

/// Collects HarfBuzz's calls for the segments of an outline.
private struct Pen {
  var contours: [Letters.Contour] = []

  /// Made once and never changed, so that any thread may use it.
  nonisolated(unsafe) static let calls: OpaquePointer? = {
    let calls = unsafe hb_draw_funcs_create()
    unsafe hb_draw_funcs_set_move_to_func(
      calls,
      { _, pen, _, x, y, _ in unsafe with(pen) { $0.contours.append(Letters.Contour(start: SIMD2(x, y))) } }, nil, nil)
    unsafe hb_draw_funcs_set_line_to_func(
      calls, { _, pen, _, x, y, _ in unsafe with(pen) { $0.add(.line(SIMD2(x, y))) } }, nil, nil)
    unsafe hb_draw_funcs_set_quadratic_to_func(
      calls,
      { _, pen, _, controlX, controlY, x, y, _ in
        unsafe with(pen) { $0.add(.quadratic(SIMD2(controlX, controlY), SIMD2(x, y))) }
      }, nil, nil)
    unsafe hb_draw_funcs_set_cubic_to_func(
      calls,
      { _, pen, _, oneX, oneY, twoX, twoY, x, y, _ in
        unsafe with(pen) { $0.add(.cubic(SIMD2(oneX, oneY), SIMD2(twoX, twoY), SIMD2(x, y))) }
      }, nil, nil)
    unsafe hb_draw_funcs_make_immutable(calls)
    return unsafe calls
  }()

  private mutating func add(_ edge: Letters.Edge) {
    guard !contours.isEmpty else { return }
    contours[contours.count - 1].edges.append(edge)
  }

  private static func with(_ pen: UnsafeMutableRawPointer?, _ body: (inout Pen) -> Void) {
    guard let pen = unsafe pen else { preconditionFailure("HarfBuzz hands back what it was given") }
    unsafe body(&pen.assumingMemoryBound(to: Pen.self).pointee)
  }
}
