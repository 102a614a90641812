package import ConsentContract
internal import Wire

/// Twelve screens: a welcome, five sections, a question, the sharing choice, the review, the name, the signature, and
/// the end.
extension WalkedFlow {
  private static let sections: [SectionType] = [.overview, .dataGathering, .privacy, .timeCommitment, .withdrawing]

  package static var content: DocumentContent {
    DocumentContent(
      defaultLocale: "en",
      settings: DocumentSettings(
        sections: sections.map { DocumentSection(id: "section-\($0.number)", type: $0) },
        signatures: [
          SignatureDefinition(id: "participant", role: .participant, order: 1, requiresName: true, requiresImage: true)
        ],
        purposes: [ConsentPurpose(code: purpose)],
        comprehension: ComprehensionTest(
          questions: [
            QuestionDefinition(
              id: "leave", kind: .single,
              choices: [QuestionChoice(id: "any-time", correct: true), QuestionChoice(id: "never")])
          ],
          passMark: 1),
        offersSharing: true),
      texts: [text])
  }

  private static var text: DocumentText {
    DocumentText(
      locale: "en", title: "A study of walking",
      sections: sections.map { type in
        SectionText(
          sectionID: "section-\(type.number)", summary: "What this section is about, in a sentence or two.",
          content: String(repeating: "And what there is to know about it, at more length. ", count: 6))
      },
      signatures: [SignatureText(signatureID: "participant", title: "Participant", meaning: "I agree to take part.")],
      questions: [
        QuestionText(
          questionID: "leave", prompt: "When may you leave the study?",
          choices: [ChoiceText(choiceID: "any-time", text: "Any time"), ChoiceText(choiceID: "never", text: "Never")])
      ],
      purposes: [PurposeText(purposeCode: purpose, title: "Research")],
      reasonForConsent: "You want to take part.", signaturePageTitle: "Consent", signaturePageContent: "Signed by:",
      sharing: SharingText(
        investigatorShort: "the university", investigatorLong: "the university and its partners",
        learnMoreHTML: "<p>More about sharing.</p>"))
  }

  package static var definition: FlowDefinition {
    FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(
          id: "hello", step: .instruction(InstructionStep(title: inEnglish("Hello"), text: inEnglish("Welcome.")))),
        FlowStep(id: "sections", step: .visual(VisualStep(documentID: documentID))),
        FlowStep(id: "quiz", step: .question(QuestionStep(documentID: documentID))),
        FlowStep(id: "sharing", step: .sharing(SharingStep(documentID: documentID))),
        FlowStep(id: "review", step: .review(ReviewStep(documentID: documentID))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
  }

  private static func inEnglish(_ text: String) -> LocalizedText {
    LocalizedText(translations: [Translation(locale: "en", text: text)])
  }
}
