import Base
import ConsentContract
import ConsentDomain
import TestSupport
import Testing
import Wire

/// The sample study, which the demo walks, in every language of our texts.
@Suite("The sample study", .timeLimit(.minutes(2))) struct SampleStudyTests {
  private static func file() throws -> DocumentFile {
    try DocumentFile(json: try Files.read(Repository.path("samples/clinical-study/document.json")))
  }

  private static func flow() throws -> CreateFlowRequest {
    try CreateFlowRequest(json: try Files.read(Repository.path("samples/clinical-study/flow.json")))
  }

  /// Those of our own texts; our Chinese is written in simplified characters.
  private static let languages = Catalog.languages.map { $0 == "zh" ? "zh-Hans" : $0 }

  @Test("a walk in any language shows nothing in another one", arguments: languages)
  func walk(locale: String) async throws {
    let world = try await World()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "walking", name: "Walking")))
    let publisher = world.client("pia", ["publisher@walking"])
    let draft = try await publisher.documents.importDocument(
      ImportDocumentRequest(studyID: "walking", file: try Self.file())
    ).version
    _ = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: "walking-consent", expectedRevision: draft?.revision ?? 0))
    let flow = try await publisher.flows.createFlow(try Self.flow()).version
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "walking-enrolment", expectedRevision: flow?.revision ?? 0))

    let start = try await world.app.sessions.startSession(
      StartSessionRequest(
        flowID: "walking-enrolment", subjectID: "s1", locale: locale,
        birthDate: CalendarDate(year: 1984, month: 5, day: 17)))
    var view = try #require(start.session)
    var kinds: Set<ScreenKind> = []
    while let screen = view.screen, !screen.offered.isEmpty {
      kinds.insert(screen.kind)
      #expect(screen.locale == locale && screen.languages.isEmpty, "\(screen.id): \(screen.languages)")
      view = try await world.act(view, Walker.goodAction(on: screen))
    }
    #expect(view.outcome == .completed && kinds.count == 8, "\(kinds)")
    let record = try await world.record(of: view)
    #expect(record.locale == locale)
    await world.end()
  }

  @Test("every language has every text, in its own letters, and a number as its readers write it")
  func whole() throws {
    let content = try #require(try Self.file().content)
    #expect(Set(content.texts.map(\.locale)) == Set(Self.languages))
    let english = Self.words(of: try #require(content.texts.first { $0.locale == "en" }))
    for text in content.texts {
      let words = Self.words(of: text)
      #expect(words.map(\.isEmpty) == english.map(\.isEmpty), "\(text.locale)")
      guard let letters = Self.letters[text.locale] else { continue }
      for word in words where !word.isEmpty {
        let isOwn = word.unicodeScalars.contains { letters.contains($0.value) }
        #expect(isOwn, "\(text.locale): \(word)")
      }
    }
    let definition = try #require(try Self.flow().definition)
    for step in definition.steps {
      let texts: [LocalizedText?] =
        switch step.step {
        case .instruction(let instruction): [instruction.title, instruction.text]
        case .question(let question): [question.title]
        case .completion(let completion): [completion.title, completion.text]
        default: []
        }
      for text in texts {
        let locales = Set((text?.translations ?? []).map(\.locale))
        #expect(locales == Set(Self.languages), "\(step.id)")
      }
    }
  }

  /// Of languages with letters of their own.
  private static let letters: [String: ClosedRange<UInt32>] = [
    "ar": 0x0600...0x06FF, "ja": 0x3041...0x9FFF, "zh-Hans": 0x4E00...0x9FFF,
  ]

  private static func words(of text: DocumentText) -> [String] {
    let sections = text.sections.flatMap { [$0.title, $0.formalTitle, $0.summary, $0.htmlContent] }
    let signatures = text.signatures.flatMap { [$0.title, $0.meaning] }
    let questions = text.questions.flatMap { [$0.prompt, $0.detail] + $0.choices.map(\.text) }
    let sharing = text.sharing ?? SharingText()
    return [text.title, text.reviewText, text.reasonForConsent, text.signaturePageTitle, text.signaturePageContent]
      + sections + signatures + questions + text.purposes.map(\.title)
      + [sharing.investigatorShort, sharing.investigatorLong, sharing.learnMoreHTML, text.failedText]
  }
}
