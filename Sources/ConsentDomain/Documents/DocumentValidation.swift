package import Base
package import ConsentContract
internal import Refusals
internal import Wire

/// Checks a document's content before it is published: every problem, each with its field, rule and value.
package struct DocumentValidation {
  private let content: DocumentContent
  private let version: Int
  private let assets: Set<String>
  private let now: Instant?
  private let purposes: [String: String]
  private var list = ProblemList()

  /// - Parameters:
  ///   - version: the number under which the content is to be published; later versions must state a policy for earlier
  ///     consents.
  ///   - assets: the hashes of those assets named in the content that are stored.
  ///   - now: when it would be published; nil if it has been, so that its dates may have passed.
  ///   - purposes: who else in the study asks for each purpose, in words.
  package static func problems(
    in content: DocumentContent, version: Int, assets: Set<String>, at now: Instant? = nil,
    purposes: [String: String] = [:]
  ) -> [Problem] {
    do throws(Refusal) { try AuthoringBounds.check(content) } catch { return [Problem(error)] }
    var validation = DocumentValidation(
      content: content, version: version, assets: assets, at: now, purposes: purposes)
    validation.run()
    return validation.list.problems
  }

  private init(
    content: DocumentContent, version: Int, assets: Set<String>, at now: Instant?, purposes: [String: String]
  ) {
    self.content = content
    self.version = version
    self.assets = assets
    self.now = now
    self.purposes = purposes
  }

  private var settings: DocumentSettings { content.settings ?? DocumentSettings() }

  private mutating func run() {
    checkSections()
    checkSignatures()
    list.checkUnique(settings.purposes.map(\.code), "settings.purposes")
    for purpose in settings.purposes {
      let field = "settings.purposes[\(purpose.code.shortened)].code"
      list.checkName(purpose.code, field)
      list.note(purpose.code, askedForBy: purposes[purpose.code], field)
    }
    if !settings.purposes.isEmpty, settings.purposes.allSatisfy(\.optional) {
      list.error("no_required_purpose", "settings.purposes", "has optional ones alone: agreeing would permit nothing")
    }
    if let test = settings.comprehension { checkComprehension(test) }
    if let age = settings.age { checkAge(age) }
    checkDates()
    checkParty()
    checkReconsent()
    checkLocales()
    let texts = DocumentTextValidation(settings: settings, assets: assets)
    for text in content.texts where !list.isFull { texts.check(text, into: &list) }
  }

  private mutating func checkParty() {
    let party = settings.controller ?? ConsentParty()
    for (name, value) in [
      ("name", party.name), ("address", party.address), ("email", party.email), ("phone", party.phone),
      ("contact", party.contact),
    ] { list.checkLength(value, atMost: 2000, "settings.controller.\(name)") }
    if trimmed(party.name).isEmpty {
      list.warning("missing_controller", "settings.controller.name", "is empty: receipts name the tenant instead")
    }
    checkURL(party.url, "settings.controller.url")
    checkURL(settings.withdrawalURL, "settings.withdrawal_url")
  }

  /// Checks a link that people follow from a receipt.
  private mutating func checkURL(_ text: String, _ field: String) {
    list.checkLength(text, atMost: 2000, field)
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard !text.isEmpty, !isPlain || !text.hasPrefix("https://") || text.utf8.count < 12 else { return }
    list.error("bad_url", field, "is '\(text.shortened)'; it must begin with https:// and have no spaces")
  }

  private mutating func checkSections() {
    let field = "settings.sections"
    if settings.sections.isEmpty, content.texts.contains(where: { $0.file == nil }) || content.texts.isEmpty {
      list.error("no_sections", field, "is empty; a document has at least one section, or a file in each language")
    }
    list.checkUnique(settings.sections.map(\.id), field)
    for section in settings.sections {
      let place = "\(field)[\(section.id.shortened)]"
      list.checkName(section.id, "\(place).id")
      if !SectionType.inOrder.contains(section.type) {
        list.error(
          "unknown_section_type", "\(place).type", "is \(section.type.number); it must be one of the ten types")
      }
      let named = [("image", section.imageAsset), ("animation", section.animationAsset), ("still", section.stillAsset)]
      for (kind, asset) in named where !asset.isEmpty && !assets.contains(asset) {
        list.error("unknown_asset", "\(place).\(kind)_asset", "names '\(asset.shortened)', which is not stored")
      }
      if !section.animationAsset.isEmpty, section.stillAsset.isEmpty {
        list.error("missing_still", "\(place).still_asset", "is empty; an animation needs an image that stands for it")
      }
      if section.omitFromDocument, section.type == .onlyInDocument {
        list.error("section_never_shown", place, "is only in the document and omitted from it: nobody would see it")
      }
    }
  }

  private mutating func checkSignatures() {
    let field = "settings.signatures"
    list.checkUnique(settings.signatures.map(\.id), field)
    for signature in settings.signatures {
      let place = "\(field)[\(signature.id.shortened)]"
      list.checkName(signature.id, "\(place).id")
      if ![.participant, .guardian, .witness, .investigator].contains(signature.role) {
        list.error("unknown_role", "\(place).role", "is \(signature.role.number); it must be one of the four roles")
      }
      if signature.refusesTyped, !signature.requiresImage {
        list.warning("typed_without_image", "\(place).refuses_typed", "has no effect: no image is required")
      } else if signature.refusesTyped {
        list.warning("typing_refused", "\(place).refuses_typed", "is true: whoever cannot draw cannot sign")
      }
      if signature.allowsReused, !signature.requiresReauthentication {
        list.error(
          "reuse_needs_reauthentication", "\(place).allows_reused",
          "is true without requires_reauthentication: what is used again takes no hand")
      }
    }
    // Initials stand beside the signature of the same person.
    let whole = settings.signatures.filter { !$0.initials }
    for role in [SignerRole.participant, .guardian] where whole.count(where: { $0.role == role }) > 1 {
      let message = "has several signatures of one role; participant and guardian sign once, beside initials"
      list.error("duplicate_role", field, message)
    }
    let later = settings.signatures.filter { $0.role == .witness || $0.role == .investigator }
    for signature in later
    where settings.signatures.contains(where: {
      [.participant, .guardian].contains($0.role) && $0.order > signature.order
    }) {
      list.error(
        "order_blocks_session", "\(field)[\(signature.id.shortened)].order",
        "is \(signature.order), before the participant's or the guardian's: their session would wait for it")
    }
  }

  private mutating func checkComprehension(_ test: ComprehensionTest) {
    let field = "settings.comprehension"
    let count = test.questions.count
    if count == 0 { list.error("no_questions", "\(field).questions", "is empty; leave comprehension out instead") }
    list.checkUnique(test.questions.map(\.id), "\(field).questions")
    if test.passMark < 1 || Int(test.passMark) > count {
      list.error("pass_mark_out_of_bounds", "\(field).pass_mark", "is \(test.passMark); it must be 1 to \(count)")
    }
    if !(0...100).contains(test.attempts) {
      list.error("attempts_out_of_bounds", "\(field).attempts", "is \(test.attempts); it must be 0 to 100")
    }
    if let pause = test.renewedAfter, pause.duration.map({ $0 < .seconds(60) || $0 > .days(3660) }) ?? true {
      list.error(
        "out_of_bounds", "\(field).renewed_after", "is \(pause.seconds) s; it must be 60 to \(3660 * 86_400) s")
    }
    for question in test.questions {
      let place = "\(field).questions[\(question.id.shortened)]"
      QuestionValidation.check(question, place, isScored: true, into: &list)
    }
  }

  private mutating func checkAge(_ age: AgePolicy) {
    for (name, value) in [
      ("minimum_age", age.minimumAge), ("majority_age", age.majorityAge), ("assent_age", age.assentAge),
    ]
    where !(0...150).contains(value) {
      list.error("age_out_of_bounds", "settings.age.\(name)", "is \(value); it must be 0 to 150")
    }
    let hasGuardian = settings.signatures.contains { $0.role == .guardian }
    if age.majorityAge > 0, !hasGuardian, age.minimumAge < age.majorityAge {
      let message = "is \(age.majorityAge), but no signature has the role of a guardian"
      list.error("missing_guardian_signature", "settings.age.majority_age", message)
    }
    if age.assentAge > 0, age.assentAge >= age.majorityAge {
      let message = "is \(age.assentAge); it must be below the majority age, \(age.majorityAge)"
      list.error("assent_age_out_of_bounds", "settings.age.assent_age", message)
    }
    if age.assentAge > 0, !settings.signatures.contains(where: { $0.role == .participant }) {
      list.error("missing_participant_signature", "settings.age.assent_age", "is set, but no participant signs")
    }
  }

  private mutating func checkDates() {
    if !(0...3_660).contains(settings.signaturesWithinDays) {
      let message = "is \(settings.signaturesWithinDays); it must be 0 to 3660"
      list.error("out_of_bounds", "settings.signatures_within_days", message)
    }
    if let ethics = settings.ethics {
      if trimmed(ethics.number).isEmpty { list.error("missing_text", "settings.ethics.number", "is empty") }
      if trimmed(ethics.committee).isEmpty { list.error("missing_text", "settings.ethics.committee", "is empty") }
      checkPeriod(ethics.validFrom, ethics.validUntil, ("valid_from", "valid_until"), "settings.ethics")
    }
    if let validity = settings.validity {
      checkPeriod(validity.offeredFrom, validity.offeredUntil, ("offered_from", "offered_until"), "settings.validity")
      if !(0...36_500).contains(validity.lastsDays) {
        list.error("out_of_bounds", "settings.validity.lasts_days", "is \(validity.lastsDays); it must be 0 to 36500")
      }
    }
  }

  private mutating func checkPeriod(
    _ from: Timestamp?, _ until: Timestamp?, _ names: (String, String), _ field: String
  ) {
    checkTime(from, "\(field).\(names.0)")
    checkEnd(until, "\(field).\(names.1)")
    guard let from = from?.instant, let until = until?.instant, until <= from else { return }
    list.error(
      "empty_period", field, "ends at \(TimeText.rfc3339(until)), not after its start at \(TimeText.rfc3339(from))")
  }

  private mutating func checkTime(_ time: Timestamp?, _ field: String) {
    guard let time, time.instant == nil else { return }
    list.error("time_out_of_bounds", field, "is \(time.seconds) seconds since 1970; it must lie in the years 1 to 9999")
  }

  private mutating func checkReconsent() {
    if version > 1, settings.reconsent == .unspecified {
      let message = "is not stated; a later version says no action, notify or by date"
      list.error("missing_reconsent_policy", "settings.reconsent", message)
    }
    if settings.reconsent == .byDate, settings.reconsentBy == nil {
      list.error("missing_reconsent_date", "settings.reconsent_by", "is empty; the policy is by date")
    }
    checkEnd(settings.reconsentBy, "settings.reconsent_by")
  }

  /// Checks the end of something, which may not have passed before it is published.
  private mutating func checkEnd(_ time: Timestamp?, _ field: String) {
    checkTime(time, field)
    guard let end = time?.instant, let now, end <= now else { return }
    list.error("expired_already", field, "is \(TimeText.rfc3339(end)), which has passed")
  }

  private mutating func checkLocales() {
    list.checkUnique(content.texts.map(\.locale), "texts")
    for text in content.texts where LocaleTag(text.locale)?.text != text.locale {
      list.error("unknown_locale", "texts[\(text.locale.shortened)].locale", "is no language tag such as 'de-AT'")
    }
    let standIn = LocaleTag(content.defaultLocale) ?? .english
    for locale in content.texts.compactMap({ LocaleTag($0.locale) }) {
      let buttons = ScreenTexts(locale: locale, standIn: standIn).found(.agree).locale
      guard LocaleTag(buttons)?.language != locale.language else { continue }
      let message = "has no built-in words: its buttons are in '\(buttons)' unless the tenant's own texts have them"
      list.warning("untranslated_buttons", "texts[\(locale.text)].locale", message)
    }
    if !content.texts.contains(where: { $0.locale == content.defaultLocale }) {
      let message = "is '\(content.defaultLocale.shortened)', and there is no text of that locale"
      list.error("missing_translation", "default_locale", message)
    }
  }
}
