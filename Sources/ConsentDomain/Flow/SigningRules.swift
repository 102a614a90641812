package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// What must hold before a document may be agreed to and signed.
package enum SigningRules {
  /// As many characters as SignatureService writes in a signature.
  package static let longestName = 100
  private static let mostBytes = 1600
  private static let longestInitials = 10
  /// The fonts in which SignatureService writes names; empty is its default.
  private static let typedFonts = ["", "script", "plain"]

  /// Checks ethics approval and offer, that a rule about age has a birth date to look at, and that the questions were
  /// passed. Each rule has its own refusal.
  package static func check(_ document: ScriptDocument?, state: SessionState, at now: Instant) throws(Refusal) {
    guard let document else { return }
    try checkDates(document.settings, at: now)
    guard document.settings.age == nil || state.birthDate?.checked != nil else {
      let message = "birth_date is missing: none is known, and '\(document.id)' has a rule about age"
      throw Refusal(.precondition, "birth_date_missing", field: "birth_date", message)
    }
    guard let test = document.settings.comprehension else { return }
    guard !state.attempts.contains(where: { $0.documentID == document.id && $0.passed }) else { return }
    let best = state.attempts.filter { $0.documentID == document.id }.map(\.score).max() ?? 0
    let message =
      "the questions about '\(document.id)' are answered with \(best) right; the pass mark is \(test.passMark)"
    throw Refusal(.precondition, "below_pass_mark", field: "action.kind", message)
  }

  /// Checks only the periods of ethics approval and offer, which also apply to counter-signers and to consent on paper.
  package static func checkDates(_ settings: DocumentSettings, at time: Instant) throws(Refusal) {
    if let ethics = settings.ethics, !isWithin(time, ethics.validFrom, ethics.validUntil) {
      let period = described(ethics.validFrom, ethics.validUntil)
      let message =
        "ethics approval \(ethics.number) of \(ethics.committee) is valid \(period); it is \(TimeText.rfc3339(time))"
      throw Refusal(.precondition, "outside_ethics_approval", field: "settings.ethics", message)
    }
    if let validity = settings.validity, !isWithin(time, validity.offeredFrom, validity.offeredUntil) {
      let period = described(validity.offeredFrom, validity.offeredUntil)
      throw Refusal(
        .precondition, "not_offered_now", field: "settings.validity",
        "the document is offered \(period); it is \(TimeText.rfc3339(time))")
    }
  }

  private static func isWithin(_ time: Instant, _ from: Timestamp?, _ until: Timestamp?) -> Bool {
    let (hasBegun, isOver) = (from.map { time >= $0.clamped } ?? true, until.map { time >= $0.clamped } ?? false)
    return hasBegun && !isOver
  }

  private static func described(_ from: Timestamp?, _ until: Timestamp?) -> String {
    let start = from.map { "from \(TimeText.rfc3339($0.clamped)) " } ?? ""
    return until.map { "\(start)until \(TimeText.rfc3339($0.clamped))" } ?? "\(start)on"
  }

  /// A name with both parts, or the only one of a person who has no other; within bounds.
  package static func name(_ name: PersonName?) throws(Refusal) -> PersonName {
    let name = name ?? PersonName()
    let only = trimmed(name.mononym)
    guard only.isEmpty else {
      guard trimmed(name.given).isEmpty, trimmed(name.family).isEmpty else {
        let message = "name.mononym is given beside another name; it is the whole name of a person who has only one"
        throw Refusal(.invalid, "two_names", field: "name.mononym", message)
      }
      return PersonName(mononym: try part(only, "name.mononym"))
    }
    let whole = PersonName(
      given: try part(trimmed(name.given), "name.given"), family: try part(trimmed(name.family), "name.family"))
    // The same length in either order.
    try checkLength(PrintedName.of(whole, locale: .english), "name")
    return whole
  }

  private static func part(_ text: String, _ field: String) throws(Refusal) -> String {
    if text.isEmpty { throw Refusal(.invalid, "name_missing", field: field, "\(field) is empty") }
    try checkLength(text, field)
    try checkName(text, field)
    return text
  }

  /// A name that is longer than a signature may be could be printed, and not signed with.
  private static func checkLength(_ text: String, _ field: String) throws(Refusal) {
    // Bytes first, since counting the characters of a very long text takes long.
    guard text.utf8.count > mostBytes || text.count > longestName else { return }
    let message = "\(field) has more than \(longestName) characters, which are the most that a signature has"
    throw Refusal(.invalid, "too_long", field: field, message)
  }

  /// A name, printed or typed, is one line that shows a letter.
  private static func checkName(_ text: String, _ field: String) throws(Refusal) {
    do throws(NameRule.Fault) {
      try NameRule.check(text)
    } catch {
      throw Refusal(.invalid, error.rule, field: field, "\(field) \(error.finding); \(error.requirement)")
    }
  }

  /// Whether a typed signature is well-formed. Only then is SignatureService asked whether it can be drawn.
  package static func isWellFormed(_ typed: TypedSignature) -> Bool {
    guard typedFonts.contains(typed.font), typed.text.utf8.count <= mostBytes else { return false }
    do throws(NameRule.Fault) {
      try NameRule.check(typed.text)
      return true
    } catch {
      return false
    }
  }

  /// Checks a signature: drawn, typed where that is allowed, or the act alone if no image is required. Returns it
  /// without the authentication, which the caller stores in verified form.
  ///
  /// - Parameter printed: the signer's name, if it was asked for.
  package static func input(
    _ input: SignatureInput?, for signature: SignatureDefinition, printed: PersonName?, proof: SignatureProof
  ) throws(Refusal) -> SignatureInput {
    var input = input ?? SignatureInput()
    let isConfirmed = input.otherThanName
    input.otherThanName = false
    if signature.requiresReauthentication, proof.authentication == nil {
      let message = "signature '\(signature.id)' needs a fresh authentication of its signer (reauthentication)"
      throw Refusal(.precondition, "reauthentication_required", field: "signature.reauthentication", message)
    }
    switch input.image {
    case .drawn(let drawn):
      guard let field = proof.field else { throw SavedField.missing(drawn.fieldID) }
      try field.check(signature, isAuthenticated: proof.authentication != nil)
      if let text = field.typedText {
        input.otherThanName = try isOther(text, printed, isConfirmed, "signature.drawn.field_id")
      }
    case .typed(let typed):
      let text = trimmed(typed.text)
      if signature.requiresImage, signature.refusesTyped {
        let message = "signature '\(signature.id)' must be drawn; a typed one is refused"
        throw Refusal(.precondition, "typed_signature_refused", field: "signature.typed", message)
      }
      guard typedFonts.contains(typed.font) else {
        let message =
          "signature.typed.font is '\(typed.font.shortened)'; it must be script or plain, or empty for script"
        throw Refusal(.invalid, "unknown_font", field: "signature.typed.font", message)
      }
      if text.isEmpty || typed.text.utf8.count > mostBytes || text.count > longestName {
        let message = "signature.typed.text must have 1 to \(longestName) characters"
        throw Refusal(.invalid, "typed_text_out_of_bounds", field: "signature.typed.text", message)
      }
      try checkName(typed.text, "signature.typed.text")
      if signature.initials, text.count > longestInitials {
        let message = "signature.typed.text has \(text.count) characters; initials have at most \(longestInitials)"
        throw Refusal(.invalid, "typed_text_out_of_bounds", field: "signature.typed.text", message)
      }
      input.otherThanName = try isOther(text, printed, isConfirmed, "signature.typed.text")
    case nil:
      if signature.requiresImage {
        let message = "signature '\(signature.id)' needs an image, drawn or typed"
        throw Refusal(.invalid, "signature_missing", field: "signature", message)
      }
    }
    input.reauthentication = nil
    return input
  }

  /// Whether a typed text is another than the printed name and its initials; refuses one that its signer has not
  /// confirmed.
  private static func isOther(
    _ text: String, _ printed: PersonName?, _ isConfirmed: Bool, _ field: String
  ) throws(Refusal) -> Bool {
    guard let printed, !TypedForms(of: printed).contain(text) else { return false }
    guard isConfirmed else {
      let message =
        "\(field) has a typed text that is neither the printed name nor initials of it: if the signer confirms that "
        + "they sign so, set signature.other_than_name"
      throw Refusal(.precondition, "typed_other_name", field: field, message)
    }
    return true
  }
}
