import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

@Suite("What may be published")
struct DocumentValidationTests {
  private func problems(version: Int = 1, _ change: (inout DocumentContent) -> Void) -> [Problem] {
    var content = Example.content()
    change(&content)
    return DocumentValidation.problems(in: content, version: version, assets: ["image"])
  }

  @Test("a complete document has no problem")
  func complete() {
    let found = problems { _ in }
    #expect(found.errors.isEmpty)
  }

  typealias Change = @Sendable (inout DocumentContent) -> Void

  private static let image = "<p><img src=\"asset:\(String(repeating: "0a", count: 32))\" alt=\"A chart\"></p>"

  static let cases: [(rule: String, field: String, change: Change)] = [
    ("no_sections", "settings.sections", { $0.settings?.sections = [] }),
    ("duplicate_name", "settings.sections", { $0.settings?.sections[1].id = "section-1" }),
    ("bad_name", "settings.sections[a b].id", { $0.settings?.sections[0].id = "a b" }),
    ("unknown_section_type", "settings.sections[section-1].type", { $0.settings?.sections[0].type = .unspecified }),
    ("unknown_asset", "settings.sections[section-1].image_asset", { $0.settings?.sections[0].imageAsset = "nowhere" }),
    ("unknown_asset", "texts[en].sections[section-1].html_content", { $0.texts[0].sections[0].htmlContent = image }),
    ("unknown_asset", "texts[de].html_review_content", { $0.texts[1].htmlReviewContent = image }),
    ("unknown_asset", "texts[en].sharing.learn_more_html", { $0.texts[0].sharing?.learnMoreHTML = image }),
    ("missing_alt_text", "texts[en].sections[section-1].image_alt", { $0.settings?.sections[0].imageAsset = "image" }),
    (
      "missing_still", "settings.sections[section-1].still_asset", { $0.settings?.sections[0].animationAsset = "image" }
    ),
    (
      "missing_caption", "texts[de].sections[section-1].animation_caption",
      { $0.settings?.sections[0].animationAsset = "image" }
    ),
    ("section_never_shown", "settings.sections[section-10]", { $0.settings?.sections[9].omitFromDocument = true }),
    ("unknown_role", "settings.signatures[participant].role", { $0.settings?.signatures[0].role = .unspecified }),
    (
      "reuse_needs_reauthentication", "settings.signatures[participant].allows_reused",
      { $0.settings?.signatures[0].allowsReused = true }
    ),
    ("duplicate_role", "settings.signatures", { $0.settings?.signatures[1].role = .participant }),
    ("order_blocks_session", "settings.signatures[investigator].order", { $0.settings?.signatures[1].order = 0 }),
    (
      "order_blocks_session", "settings.signatures[investigator].order",
      { $0.settings?.signatures.append(SignatureDefinition(id: "guardian", role: .guardian, order: 3)) }
    ),
    ("pass_mark_out_of_bounds", "settings.comprehension.pass_mark", { $0.settings?.comprehension?.passMark = 3 }),
    (
      "no_right_answer", "settings.comprehension.questions[leave].choices",
      { $0.settings?.comprehension?.questions[0].choices[1].correct = true }
    ),
    (
      "too_few_choices", "settings.comprehension.questions[leave].choices",
      { $0.settings?.comprehension?.questions[0].choices.removeLast() }
    ),
    (
      "optional_question", "settings.comprehension.questions[leave].optional",
      { $0.settings?.comprehension?.questions[0].optional = true }
    ),
    (
      "not_scorable", "settings.comprehension.questions[leave].kind",
      { $0.settings?.comprehension?.questions[0].kind = .date }
    ),
    (
      "attempts_out_of_bounds", "settings.comprehension.attempts", { $0.settings?.comprehension?.attempts = 101 }
    ),
    (
      "unknown_question_kind", "settings.comprehension.questions[leave].kind",
      { $0.settings?.comprehension?.questions[0].kind = .unspecified }
    ),
    (
      "choices_not_wanted", "settings.comprehension.questions[leave].choices",
      { $0.settings?.comprehension?.questions[0].kind = .text }
    ),
    (
      "missing_participant_signature", "settings.age.assent_age",
      {
        $0.settings?.signatures[0].role = .guardian
        $0.settings?.age = AgePolicy(majorityAge: 18, assentAge: 12)
      }
    ),
    (
      "typed_without_image", "settings.signatures[participant].refuses_typed",
      {
        $0.settings?.signatures[0].requiresImage = false
        $0.settings?.signatures[0].refusesTyped = true
      }
    ),
    ("missing_guardian_signature", "settings.age.majority_age", { $0.settings?.age = AgePolicy(majorityAge: 18) }),
    (
      "assent_age_out_of_bounds", "settings.age.assent_age",
      { $0.settings?.age = AgePolicy(minimumAge: 18, majorityAge: 18, assentAge: 18) }
    ),
    ("age_out_of_bounds", "settings.age.minimum_age", { $0.settings?.age = AgePolicy(minimumAge: 200) }),
    ("missing_text", "settings.ethics.number", { $0.settings?.ethics = EthicsApproval(committee: "c") }),
    (
      "empty_period", "settings.validity",
      {
        $0.settings?.validity = ValidityPeriod(offeredFrom: Timestamp(seconds: 5), offeredUntil: Timestamp(seconds: 5))
      }
    ),
    ("missing_reconsent_date", "settings.reconsent_by", { $0.settings?.reconsent = .byDate }),
    ("unknown_locale", "texts[klingonisch!].locale", { $0.texts[1].locale = "klingonisch!" }),
    ("duplicate_name", "texts", { $0.texts[1].locale = "en" }),
    ("missing_translation", "default_locale", { $0.defaultLocale = "fr" }),
    ("missing_translation", "texts[de].title", { $0.texts[1].title = " " }),
    ("missing_translation", "texts[de].sections[section-1].summary", { $0.texts[1].sections.removeFirst() }),
    ("missing_translation", "texts[de].sections[section-9].title", { $0.texts[1].sections[8].title = "" }),
    ("missing_translation", "texts[de].sections[section-3].content", { $0.texts[1].sections[2].content = "" }),
    ("missing_translation", "texts[de].signatures[participant].meaning", { $0.texts[1].signatures[0].meaning = "" }),
    (
      "missing_translation", "texts[en].questions[data].choices[mail].text",
      { $0.texts[0].questions[1].choices.removeLast() }
    ),
    ("missing_translation", "texts[en].purposes[research].title", { $0.texts[0].purposes = [] }),
    ("unknown_name", "texts[en].sections[nobody]", { $0.texts[0].sections.append(SectionText(sectionID: "nobody")) }),
    ("missing_translation", "texts[en].sharing.investigator_short", { $0.texts[0].sharing?.investigatorShort = "" }),
    ("missing_translation", "texts[en].sharing.investigator_long", { $0.texts[0].sharing?.investigatorLong = "" }),
    ("missing_translation", "texts[en].sharing.learn_more_html", { $0.texts[0].sharing?.learnMoreHTML = "" }),
    (
      "too_long", "texts[de].sections",
      {
        for index in $0.texts[1].sections.indices {
          $0.texts[1].sections[index].htmlContent = String(repeating: "x", count: 450_000)
        }
      }
    ),
    ("too_long", "texts[en].title", { $0.texts[0].title = String(repeating: "x", count: 501) }),
  ]

  @Test("every refusal names the field and the rule", arguments: cases.indices)
  func refused(index: Int) {
    let (rule, field, change) = Self.cases[index]
    let found = problems(change)
    #expect(
      found.contains { $0.rule == rule && $0.field == field && $0.message.hasPrefix(field) },
      "\(rule) \(field): \(found.map(\.message))")
  }

  @Test("all problems come at once")
  func allAtOnce() {
    let found = problems { content in
      content.texts[0].title = ""
      content.settings?.comprehension?.passMark = 0
      content.settings?.sections[0].type = .unspecified
    }
    #expect(
      Set(found.map(\.rule)).isSuperset(of: ["missing_translation", "pass_mark_out_of_bounds", "unknown_section_type"]))
  }

  static let counts: [(field: String, change: Change)] = [
    ("texts", { $0.texts = Array(repeating: DocumentText(), count: 51) }),
    ("settings.sections", { $0.settings?.sections = Array(repeating: DocumentSection(), count: 101) }),
    ("settings.signatures", { $0.settings?.signatures = Array(repeating: SignatureDefinition(), count: 21) }),
    ("settings.purposes", { $0.settings?.purposes = Array(repeating: ConsentPurpose(), count: 51) }),
    (
      "settings.comprehension.questions",
      { $0.settings?.comprehension?.questions = Array(repeating: QuestionDefinition(), count: 51) }
    ),
    (
      "settings.comprehension.questions[leave].choices",
      { $0.settings?.comprehension?.questions[0].choices = Array(repeating: QuestionChoice(), count: 31) }
    ),
    (
      "settings.comprehension.questions[leave].accepted_answers",
      { $0.settings?.comprehension?.questions[0].acceptedAnswers = Array(repeating: "a", count: 101) }
    ),
    ("texts[en].sections", { $0.texts[0].sections = Array(repeating: SectionText(), count: 101) }),
    ("texts[en].signatures", { $0.texts[0].signatures = Array(repeating: SignatureText(), count: 21) }),
    ("texts[en].purposes", { $0.texts[0].purposes = Array(repeating: PurposeText(), count: 51) }),
    ("texts[en].questions", { $0.texts[0].questions = Array(repeating: QuestionText(), count: 51) }),
    (
      "texts[en].questions[leave].choices",
      { $0.texts[0].questions[0].choices = Array(repeating: ChoiceText(), count: 31) }
    ),
    ("texts[en].file.page_texts", { $0.texts[0].file = PagedFile(pageTexts: Array(repeating: "a", count: 41)) }),
  ]

  @Test("a list that is too long is the only problem, and is refused before it is cleaned", arguments: counts.indices)
  func tooMany(index: Int) {
    let (field, change) = Self.counts[index]
    let found = problems(change)
    #expect(found.map(\.rule) == ["too_many"] && found.first?.field == field, "\(field): \(found.map(\.message))")
    var content = Example.content()
    change(&content)
    var cleaner = MarkupCleaner()
    let refusal = #expect(throws: Refusal.self) { try cleaner.clean(content) }
    #expect(refusal?.rule == "too_many" && refusal?.field == field)
  }

  @Test("of very many problems the first are listed, and that there are others")
  func capped() {
    let found = problems { content in
      content.settings?.sections = (1...100).map { DocumentSection(id: "s\($0)", type: .custom) }
      content.texts = (1...50).map { DocumentText(locale: "x\($0)") }
    }
    #expect(found.count == ProblemList.most + 1)
    #expect(found.last?.rule == "too_many_problems" && found.last?.severity == .error)
  }

  @Test("more images than anybody shows are the only problem")
  func manyImages() {
    let found = problems { content in
      content.texts[0].htmlReviewContent = (0...1_000).map { number in
        "<img src=\"asset:\(Digest(of: [UInt8](String(number).utf8)).hex)\" alt=\"a\">"
      }.joined()
    }
    #expect(found.map(\.rule) == ["too_many"] && found.first?.field == "texts")
  }

  /// One character of many marks, which take the square of their number to compare.
  private static let endless = "a" + String(repeating: "\u{301}\u{316}", count: 100_000)

  static let names: [Change] = [
    { $0.defaultLocale = endless }, { $0.texts[1].locale = endless }, { $0.settings?.sections[0].id = endless },
    { $0.settings?.sections[0].imageAsset = endless }, { $0.settings?.signatures[0].id = endless },
    { $0.settings?.purposes[0].code = endless }, { $0.settings?.comprehension?.questions[0].id = endless },
    { $0.settings?.comprehension?.questions[0].choices[0].id = endless },
    { $0.texts[0].sections[0].sectionID = endless }, { $0.texts[0].signatures[0].signatureID = endless },
    { $0.texts[0].purposes[0].purposeCode = endless }, { $0.texts[0].questions[0].questionID = endless },
    { $0.texts[0].questions[0].choices[0].choiceID = endless },
    { $0.texts[0].file = PagedFile(asset: endless) },
  ]

  @Test("a name that is too long is the only problem, and stands shortened in it", arguments: names.indices)
  func longNames(index: Int) {
    let found = problems(Self.names[index])
    #expect(found.map(\.rule) == ["too_long"])
    #expect(found.allSatisfy { $0.field.utf8.count < 500 && $0.message.utf8.count < 1000 })
  }

  @Test("a version after the first says what it asks of earlier consents")
  func reconsent() {
    let unstated = problems(version: 2) { _ in }
    #expect(unstated.errors.map(\.rule) == ["missing_reconsent_policy"])
    let stated = problems(version: 2) { $0.settings?.reconsent = .noAction }
    #expect(stated.errors.isEmpty)
  }

  @Test("HTML and Markdown are cleaned before they are stored, and what is removed is reported with its field")
  func cleaning() throws {
    var content = Example.content()
    content.texts[0].sections[0].htmlContent = "<p onclick=x()>a</p>"
    content.texts[1].sections[1].markdownContent = "**b** <script>x</script>"
    content.texts[0].htmlReviewContent = "<iframe src=x></iframe>"
    var cleaner = MarkupCleaner()
    let clean = try cleaner.clean(content)
    #expect(clean.texts[0].sections[0].htmlContent == "<p>a</p>")
    #expect(clean.texts[1].sections[1].htmlContent == "<p><strong>b</strong> </p>\n")
    #expect(clean.texts[1].sections[1].markdownContent == "**b** <script>x</script>")
    #expect(clean.texts[0].htmlReviewContent.isEmpty)
    #expect(
      Set(cleaner.removed.map(\.field)).isSuperset(of: [
        "texts[en].sections[section-1].html_content", "texts[de].sections[section-2].markdown_content",
        "texts[en].html_review_content",
      ]))
  }

  @Test("a diff says which sections changed, moved, were added and were removed")
  func diff() {
    var after = Example.content()
    after.settings?.sections.swapAt(0, 1)
    after.settings?.sections.removeLast()
    after.texts[0].sections[2].summary = "New words"
    after.texts.append(Example.text("fr"))
    let changes = DocumentDiff.changes(from: Example.content(), to: after)
    func has(_ kind: ChangeKind, _ field: String) -> Bool { changes.contains { $0.kind == kind && $0.field == field } }
    #expect(has(.moved, "settings.sections[section-1]"))
    #expect(has(.removed, "settings.sections[section-10]"))
    #expect(has(.changed, "texts[en].sections[section-3].summary"))
    #expect(has(.added, "texts[fr]"))
    #expect(DocumentDiff.changes(from: after, to: after).isEmpty)
  }

  @Test("a diff names changed settings by path and in words")
  func settingsDiff() {
    var after = Example.content()
    after.settings?.comprehension?.passMark = 1
    after.settings?.comprehension?.questions[0].choices[1].correct = true
    after.settings?.age = AgePolicy(minimumAge: 16, majorityAge: 18)
    after.settings?.signatures[0].refusesTyped = true
    after.settings?.signatures.removeLast()
    after.settings?.purposes.append(ConsentPurpose(code: "newsletter"))
    after.settings?.sections[9].type = .dataUse
    after.settings?.validity = ValidityPeriod(offeredUntil: Timestamp(Example.now))
    let changes = DocumentDiff.changes(from: Example.content(), to: after)
    let told = changes.map { "\($0.kind) \($0.field): \($0.before) → \($0.after)" }
    #expect(
      told == [
        "changed settings.sections[section-10].type: only in document → data use",
        "changed settings.signatures[participant].refuses_typed: no → yes",
        "removed settings.signatures[investigator]: investigator → ",
        "added settings.purposes[newsletter]:  → newsletter",
        "changed settings.comprehension.questions[leave].right_answers: any-time → any-time, never",
        "changed settings.comprehension.pass_mark: 2 → 1",
        "added settings.age.minimum_age:  → 16", "added settings.age.majority_age:  → 18",
        "added settings.validity.offered_until:  → 2026-03-01T08:30:00.000Z",
      ])
  }

  @Test("hashes cover settings and texts, and a translation added later leaves the version hash unchanged")
  func hashes() throws {
    let settings = try DocumentHashes.settings(Example.settings())
    var other = Example.settings()
    other.withoutScrollGate = true
    #expect(try DocumentHashes.settings(other) != settings)
    let english = try DocumentHashes.locale(Example.text("en"), settings: settings)
    #expect(try DocumentHashes.locale(Example.text("en"), settings: try DocumentHashes.settings(other)) != english)
    let german = try DocumentHashes.locale(Example.text("de"), settings: settings)
    let locales = [LocaleHash(locale: "en", hash: english.hex), LocaleHash(locale: "de", hash: german.hex)]
    #expect(
      DocumentHashes.version(settings: settings, locales: locales)
        == DocumentHashes.version(settings: settings, locales: locales.reversed()))
    #expect(
      DocumentHashes.version(settings: settings, locales: locales)
        != DocumentHashes.version(settings: settings, locales: [locales[0]]))
  }
}
