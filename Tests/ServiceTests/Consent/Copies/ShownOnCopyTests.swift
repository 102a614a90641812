import Base
import ConsentContract
import ConsentDomain
import Documents
import RPC
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What was shown, as a copy says it.
@Suite("What copies show") struct ShownOnCopyTests {
  @Test("copies of a consent on an app's own screens say what the app showed, line by line")
  func ownScreens() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let answer = try await world.consent.app.sessions.recordConsent(
      RecordConsentRequest(
        flowID: "flow", siteID: "north", subjectID: "s1", locale: "en",
        answers: [
          StepAnswers(
            stepID: "quiz",
            answers: [
              QuestionAnswer(questionID: "leave", choiceIDs: ["any-time"]),
              QuestionAnswer(questionID: "data", choiceIDs: ["pulse", "steps"]),
            ])
        ],
        documents: [
          DocumentDecision(
            documentID: Example.documentID, documentVersion: 1, locale: "en", agreed: true,
            shownText: "Our <own> words.\r\nA second line.\n\nAnd a second part & more.", sharing: .wide,
            signatures: [
              RecordedSignature(
                signatureID: "participant", name: PersonName(given: "Ada", family: "Lovelace"),
                signature: SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace"))))
            ])
        ]))
    let given = answer.records.first { $0.kind == .document }
    let record = try #require(given)
    let early = try await world.run(record.recordID, participants: true) { $0.state != .sealing }
    #expect(early.state == .sealed, "\(early)")
    try await check(try await world.get(record.recordID, participants: true).content, in: world)
    _ = try await world.evidence.counterSign(record)
    let whole = try await world.run(record.recordID) { $0.state == .sealed || $0.state == .failed }
    #expect(whole.state == .sealed, "\(whole)")
    try await check(try await world.get(record.recordID).content, in: world)
    await world.end()
  }

  private func check(_ file: [UInt8], in world: CopyWorld) async throws {
    #expect(world.verdict(file).verdict == .passed)
    let words = try await CopyWorld.text(of: file)
    for line in ["Our <own> words.", "A second line.", "And a second part & more.", "Ada Lovelace"] {
      #expect(words.contains(line), "\(line): \(words)")
    }
    #expect(!words.contains("Content 1"), "what was not shown is not on it: \(words)")
  }

  @Test("what was kept of a shown document can be laid out as it is, with our own words in its language")
  func shownMarkup() async throws {
    for locale in ["en", "de"] {
      var text = Example.text(locale)
      text.reviewText = "Read it & decide."
      text.sections[0].htmlContent = "<p>It's <b>this</b> &quot;part&quot;.</p><ul><li>one</li></ul>"
      let review = ReviewComposer(
        settings: Example.settings(), text: text,
        texts: ScreenTexts(locale: try .of(locale), standIn: try .of("en"))
      ).review()
      var paper = ConsentPaper(
        title: review.title, language: locale, size: .a4, sections: [],
        signaturePage: Documents.SignaturePage(title: "Signatures", blocks: []), created: Example.now)
      paper.separateMarkup = review.html
      let words = try await CopyWorld.text(of: try PaperComposer().compose(paper))
      for line in ["Heart study (\(locale))", "Read it & decide.", "It's this \"part\"."] {
        #expect(words.contains(line), "\(line): \(words)")
      }
    }
  }
}
