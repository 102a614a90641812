internal import CHarfBuzz

/// Canonical decomposition of Unicode (the step of NFD for one scalar), from HarfBuzz's tables.
enum Decomposition {
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII { return [scalar] }
    var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
    guard unsafe hb_unicode_decompose(hb_unicode_funcs_get_default(), scalar.value, &first, &second) != 0,
      let left = Unicode.Scalar(first)
    else { return [scalar] }
    // The second part is never decomposed further; the first one may be.
    return (left == scalar ? [left] : of(left)) + (second == 0 ? [] : [Unicode.Scalar(second)].compactMap(\.self))
  }
}
