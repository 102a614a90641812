internal import Base
internal import Ink
package import Refusals
package import SignatureContract
internal import Wire

/// Checks a client's settings of a field against their bounds; the error names the field, the bound and the value.
package enum FieldChecks {
  package static let defaultCanvas = InkCanvas(width: 600, height: 200, devicePixelRatio: 1)
  package static let initialsCanvas = InkCanvas(width: 200, height: 100, devicePixelRatio: 1)
  /// The most characters of typed initials.
  package static let longestInitials = 10
  package static let defaultPenWidth = 3.0
  /// A thinner pen leaves lines that hardly anybody sees.
  private static let leastPenWidth = 1.0
  /// The least contrast of ink and paper: what WCAG 2.2 asks of anything that has to be recognised.
  private static let leastContrast = 3.0

  /// The settings with every default filled in.
  package static func settled(_ given: FieldSettings) throws(Refusal) -> FieldSettings {
    var settings = given
    try text(given.header, "settings.header", 1...200)
    try text(given.label, "settings.label", 0...200)
    try text(given.helperText, "settings.helper_text", 0...1000)
    try text(given.placeholder, "settings.placeholder", 0...200)
    settings.form = try known(given.form, "settings.form", default: .inline)
    settings.reentry = try known(given.reentry, "settings.reentry", default: .toInactive)
    settings.mark = try known(given.mark, "settings.mark", default: .signature)
    let usual = settings.mark == .initials ? initialsCanvas : defaultCanvas
    settings.canvas = try canvas(given.canvas ?? usual, "settings.canvas")
    settings.penWidth = given.penWidth == 0 ? defaultPenWidth : given.penWidth
    try number(settings.penWidth, "settings.pen_width", leastPenWidth...100)
    settings.words = try words(given.words ?? FieldWords(), of: settings.mark)
    settings.inscription = try inscription(given.inscription)
    if let crop = given.crop { try number(crop.padding, "settings.crop.padding", 0...1000) }
    try colors(given)
    return settings
  }

  private static func colors(_ settings: FieldSettings) throws(Refusal) {
    let ink = try RenderOptions.color(settings.inkColor, "ink_color") ?? .black
    let paper = settings.paperColor == "transparent" ? nil : try RenderOptions.color(settings.paperColor, "paper_color")
    let contrast = ink.contrast(to: paper ?? .white)
    guard contrast < leastContrast else { return }
    throw refusal(
      "settings.ink_color", "has a contrast of \((contrast * 10).rounded(.down) / 10) to the paper",
      "ink that can be seen has one of \(leastContrast) or more", rule: "too_little_contrast")
  }

  package static func reference(_ reference: FieldReference?) throws(Refusal) -> FieldReference {
    guard let reference else { throw missing("reference") }
    try lasting(reference.subjectID, "reference.subject_id", isRequired: true)
    try ReservedPrefix.check(reference.subjectID, field: "reference.subject_id")
    try lasting(reference.studyID, "reference.study_id")
    try lasting(reference.siteID, "reference.site_id")
    try lasting(reference.sessionID, "reference.session_id")
    try lasting(reference.signatureID, "reference.signature_id")
    try lasting(reference.documentID, "reference.document_id")
    try lasting(reference.recordID, "reference.record_id")
    guard reference.documentVersion >= 0, (reference.documentVersion == 0) == reference.documentID.isEmpty else {
      throw refusal(
        "reference.document_version", "is \(reference.documentVersion)",
        "state the version, 1 or more, of the document in reference.document_id, or neither")
    }
    if !reference.siteID.isEmpty, reference.studyID.isEmpty {
      throw refusal(
        "reference.site_id", "is set without a study", "a site belongs to the study in reference.study_id",
        rule: "study_missing")
    }
    return reference
  }

  /// An identifier that stays in rows and events for good, also when the person is erased.
  private static func lasting(_ text: String, _ path: String, isRequired: Bool = false) throws(Refusal) {
    try identifier(text, path, isRequired: isRequired)
    try PlainIdentifier.check(text, field: path)
  }

  package static func identifier(_ text: String, _ path: String, isRequired: Bool = false) throws(Refusal) {
    if isRequired, text.isEmpty { throw missing(path) }
    guard text.utf8.count <= 128 else {
      throw refusal(path, "has \(text.utf8.count) bytes", "identifiers have at most 128 bytes", rule: "too_long")
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw refusal(path, "has control characters", "identifiers are printable", rule: "bad_name")
    }
  }

  package static func version(_ version: Int64) throws(Refusal) {
    guard version > 0 else {
      throw refusal("expected_version", "is \(version)", "state the version of the view that was acted on, 1 or more")
    }
  }

  package static func signingTime(_ time: SigningTime?) throws(Refusal) -> SigningTime {
    var time = time ?? SigningTime()
    if let at = time.at {
      guard let instant = at.instant, at.seconds >= 0 else {
        throw refusal(
          "signing_time.at", "is \(at.seconds) seconds since 1970", "it must lie in the years 1970 to 9999")
      }
      // A clock that was never set shows the first moment of 1970.
      time.at = instant.millisecondsSince1970 == 0 ? nil : Timestamp(instant)
    }
    guard (-1080...1080).contains(time.utcOffsetMinutes) else {
      throw refusal(
        "signing_time.utc_offset_minutes", "is \(time.utcOffsetMinutes)", "offsets are between -1080 and 1080 minutes")
    }
    return time
  }

  package static func reason(_ text: String, isRequired: Bool) throws(Refusal) {
    try self.text(text, "reason", (isRequired ? 1 : 0)...500)
  }

  package static func missing(_ path: String) -> Refusal {
    Refusal(.invalid, "missing", field: path, "\(path) is missing")
  }

  package static func refusal(
    _ path: String, _ finding: String, _ requirement: String, rule: String = "out_of_bounds"
  ) -> Refusal {
    Refusal(.invalid, rule, field: path, "\(path) \(finding); \(requirement)")
  }

  static func text(_ text: String, _ path: String, _ range: ClosedRange<Int>) throws(Refusal) {
    if text.isEmpty, range.lowerBound > 0 { throw missing(path) }
    // Bytes first, since counting the characters of a very long text takes long.
    guard text.utf8.count <= range.upperBound * 16, text.count <= range.upperBound else {
      throw refusal(
        path, "has more than \(range.upperBound) characters", "\(range.upperBound) are the most", rule: "too_long")
    }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" }
    guard isPlain else {
      throw refusal(path, "has control characters", "only line feeds are allowed", rule: "control_characters")
    }
  }

  private static func number(_ value: Double, _ path: String, _ range: ClosedRange<Double>) throws(Refusal) {
    guard !range.contains(value) else { return }
    throw refusal(
      path, "is \(value.isNaN ? "NaN" : "\(value)")", "it is between \(range.lowerBound) and \(range.upperBound)")
  }

  package static func canvas(_ given: InkCanvas, _ path: String) throws(Refusal) -> InkCanvas {
    var canvas = given
    if canvas.devicePixelRatio == 0 { canvas.devicePixelRatio = 1 }
    try number(canvas.width, "\(path).width", 16...4096)
    try number(canvas.height, "\(path).height", 16...4096)
    try number(canvas.devicePixelRatio, "\(path).device_pixel_ratio", 0.1...16)
    return canvas
  }

  private static func known<Choice: MessageEnum>(
    _ choice: Choice, _ path: String, default usual: Choice
  ) throws(Refusal) -> Choice {
    if choice.number == 0 { return usual }
    guard Choice.allCases.contains(choice) else {
      throw refusal(
        path, "is \(choice.number)", "this version of the contract has no such value", rule: "unknown_value")
    }
    return choice
  }

  /// The inscription; nil if it would show nothing, so that every inscription shows words below the ink.
  private static func inscription(_ given: FieldInscription?) throws(Refusal) -> FieldInscription? {
    guard let given, given != FieldInscription() else { return nil }
    for (line, path) in [(given.name, "name"), (given.reason, "reason")] where !line.isEmpty {
      try inscribed(line, "settings.inscription.\(path)")
    }
    return given
  }

  /// A line below ink follows the rules of names: one line that shows a letter.
  private static func inscribed(_ line: String, _ path: String) throws(Refusal) {
    try text(line, path, 1...100)
    do throws(NameRule.Fault) {
      try NameRule.check(line)
    } catch {
      throw refusal(path, error.finding, error.requirement, rule: error.rule)
    }
  }

  private static func words(_ given: FieldWords, of mark: FieldMark) throws(Refusal) -> FieldWords {
    let thing = mark == .initials ? "initials" : "signature"
    return FieldWords(
      tapToSign: try word(given.tapToSign, "tap_to_sign", mark == .initials ? "Tap to initial" : "Tap to sign"),
      addSignature: try word(given.addSignature, "add_signature", "Add \(thing)"),
      cancel: try word(given.cancel, "cancel", "Cancel"),
      clear: try word(given.clear, "clear", "Clear"),
      save: try word(given.save, "save", "Save"),
      typeInstead: try word(given.typeInstead, "type_instead", "Type instead"),
      reEnter: try word(given.reEnter, "re_enter", "Re-enter \(thing)"), undo: try word(given.undo, "undo", "Undo"),
      upload: try word(given.upload, "upload", "Upload image"),
      reuse: try word(given.reuse, "reuse", "Use my \(thing)"),
      signature: try word(given.signature, "signature", mark == .initials ? "Initials" : "Signature"))
  }

  private static func word(_ given: String, _ name: String, _ usual: String) throws(Refusal) -> String {
    try text(given, "settings.words.\(name)", 0...60)
    return given.isEmpty ? usual : given
  }
}

extension Color {
  /// The contrast of two colours as WCAG 2.2 defines it, from 1 to 21, but for the squares in place of its powers of
  /// 2.4.
  fileprivate func contrast(to other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var luminance: Double {
    func light(_ value: UInt8) -> Double { Double(value) * Double(value) / (255 * 255) }
    return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
  }
}
