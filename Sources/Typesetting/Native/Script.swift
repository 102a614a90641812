internal import CHarfBuzz

/// A writing system, by its code in ISO 15924.
struct Script: Equatable {
  let tag: UInt32
  var isRightToLeft = false

  /// Characters that all scripts use.
  static let any = Script(tag: HB_SCRIPT_COMMON.rawValue)
  /// Characters, such as marks, that take the script of the letter before them.
  static let inherited = Script(tag: HB_SCRIPT_INHERITED.rawValue)
  /// Decimal digits, which run from left to right in every script.
  static let digits = Script(tag: HB_SCRIPT_COMMON.rawValue + 1)

  init(of scalar: Unicode.Scalar) {
    if scalar.properties.numericType == .decimal {
      self = .digits
      return
    }
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
    self.init(tag: script.rawValue, isRightToLeft: hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL)
  }

  private init(tag: UInt32, isRightToLeft: Bool = false) {
    self.tag = tag
    self.isRightToLeft = isRightToLeft
  }

  /// Four letters, such as "Latn".
  var code: String { String(decoding: [24, 16, 8, 0].map { UInt8(tag >> $0 & 0xFF) }, as: UTF8.self) }

  /// HarfBuzz's value for it.
  var shaped: hb_script_t { self == .digits ? HB_SCRIPT_COMMON : hb_script_t(rawValue: tag) }
}
