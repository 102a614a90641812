package import Bus
package import SignatureContract
internal import Wire

/// Holds what a client asks a field to be against its bounds; the error names the field, the bound and the value.
package enum FieldChecks {
  package static let defaultCanvas = InkCanvas(width: 600, height: 200, devicePixelRatio: 1)
  package static let defaultPenWidth = 3.0

  /// The settings with every default filled in.
  package static func settled(_ given: FieldSettings) throws(Status) -> FieldSettings {
    var settings = given
    try text(given.header, "settings.header", 1...200)
    try text(given.label, "settings.label", 0...200)
    try text(given.helperText, "settings.helper_text", 0...1000)
    try text(given.placeholder, "settings.placeholder", 0...200)
    settings.form = try known(given.form, "settings.form", default: .inline)
    settings.reentry = try known(given.reentry, "settings.reentry", default: .toInactive)
    settings.canvas = try canvas(given.canvas ?? defaultCanvas)
    settings.penWidth = given.penWidth == 0 ? defaultPenWidth : given.penWidth
    try number(settings.penWidth, "settings.pen_width", 0.1...100)
    settings.words = try words(given.words ?? FieldWords())
    return settings
  }

  package static func reference(_ reference: FieldReference?) throws(Status) -> FieldReference {
    guard let reference else { throw missing("reference") }
    try identifier(reference.subjectID, "reference.subject_id", isRequired: true)
    try identifier(reference.studyID, "reference.study_id")
    try identifier(reference.siteID, "reference.site_id")
    try identifier(reference.sessionID, "reference.session_id")
    try identifier(reference.signatureID, "reference.signature_id")
    if !reference.siteID.isEmpty, reference.studyID.isEmpty {
      throw refusal("reference.site_id", "is set without a study", "a site belongs to the study in reference.study_id")
    }
    return reference
  }

  package static func identifier(_ text: String, _ path: String, isRequired: Bool = false) throws(Status) {
    if isRequired, text.isEmpty { throw missing(path) }
    guard text.utf8.count <= 128 else {
      throw refusal(path, "has \(text.utf8.count) bytes", "identifiers have at most 128 bytes")
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw refusal(path, "has control characters", "identifiers are printable")
    }
  }

  package static func version(_ version: Int64) throws(Status) {
    guard version > 0 else {
      throw refusal("expected_version", "is \(version)", "state the version of the view that was acted on, 1 or more")
    }
  }

  package static func signingTime(_ time: SigningTime?) throws(Status) -> SigningTime {
    let time = time ?? SigningTime()
    // 9999-12-31: what lies beyond is no device's clock.
    guard (0...253_402_300_799_999).contains(time.deviceMs) else {
      throw refusal(
        "signing_time.device_ms", "is \(time.deviceMs)", "milliseconds since 1970, up to the year 9999; 0: not stated")
    }
    guard (-1080...1080).contains(time.utcOffsetMinutes) else {
      throw refusal(
        "signing_time.utc_offset_minutes", "is \(time.utcOffsetMinutes)", "offsets are between -1080 and 1080 minutes")
    }
    return time
  }

  package static func reason(_ text: String, isRequired: Bool) throws(Status) {
    try self.text(text, "reason", (isRequired ? 1 : 0)...500)
  }

  package static func pageSize(_ size: Int32) throws(Status) -> Int {
    guard (0...100).contains(size) else {
      throw refusal("page_size", "is \(size)", "a page has 1 to 100 entries; 0 stands for 100")
    }
    return size == 0 ? 100 : Int(size)
  }

  package static func missing(_ path: String) -> Status {
    Status(.invalidArgument, "\(path) is missing")
  }

  package static func refusal(_ path: String, _ finding: String, _ requirement: String) -> Status {
    Status(.invalidArgument, "\(path) \(finding); \(requirement)")
  }

  static func text(_ text: String, _ path: String, _ range: ClosedRange<Int>) throws(Status) {
    if text.isEmpty, range.lowerBound > 0 { throw missing(path) }
    // Bytes first: counting the characters of a novel takes its time.
    guard text.utf8.count <= range.upperBound * 16, text.count <= range.upperBound else {
      throw refusal(path, "has more than \(range.upperBound) characters", "\(range.upperBound) are the most")
    }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" }
    guard isPlain else { throw refusal(path, "has control characters", "only line feeds are allowed") }
  }

  private static func number(_ value: Double, _ path: String, _ range: ClosedRange<Double>) throws(Status) {
    guard !range.contains(value) else { return }
    throw refusal(
      path, "is \(value.isNaN ? "NaN" : "\(value)")", "it is between \(range.lowerBound) and \(range.upperBound)")
  }

  private static func canvas(_ given: InkCanvas) throws(Status) -> InkCanvas {
    var canvas = given
    if canvas.devicePixelRatio == 0 { canvas.devicePixelRatio = 1 }
    try number(canvas.width, "settings.canvas.width", 16...4096)
    try number(canvas.height, "settings.canvas.height", 16...4096)
    try number(canvas.devicePixelRatio, "settings.canvas.device_pixel_ratio", 0.1...16)
    return canvas
  }

  private static func known<Choice: MessageEnum>(
    _ choice: Choice, _ path: String, default usual: Choice
  ) throws(Status) -> Choice {
    if choice.number == 0 { return usual }
    guard Choice.allCases.contains(choice) else {
      throw refusal(path, "is \(choice.number)", "this version of the contract has no such value")
    }
    return choice
  }

  private static func words(_ given: FieldWords) throws(Status) -> FieldWords {
    FieldWords(
      tapToSign: try word(given.tapToSign, "tap_to_sign", "Tap to sign"),
      addSignature: try word(given.addSignature, "add_signature", "Add signature"),
      cancel: try word(given.cancel, "cancel", "Cancel"),
      clear: try word(given.clear, "clear", "Clear"),
      save: try word(given.save, "save", "Save"),
      typeInstead: try word(given.typeInstead, "type_instead", "Type instead"),
      reEnter: try word(given.reEnter, "re_enter", "Re-enter signature"))
  }

  private static func word(_ given: String, _ name: String, _ usual: String) throws(Status) -> String {
    try text(given, "settings.words.\(name)", 0...60)
    return given.isEmpty ? usual : given
  }
}
