import Base
import ConsentContract
import ConsentService
import ServicePolicy
import Testing
import Wire

/// Who signs for whom, by age.
@Suite("A document and the signer's age")
struct DocumentAgeTests {
  private func aged(_ birthDate: CalendarDate?) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    settings.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    settings.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true))
    return try DocumentWalks.walker(settings: settings, birthDate: birthDate, steps: ["review"])
  }

  @Test("under the minimum age the session ends before anything is read")
  func tooYoung() throws {
    let walker = try aged(CalendarDate(year: 2020, month: 3, day: 2))
    #expect(walker.outcome == .underAge)
    #expect(walker.screen.text == "You are too young to take part.")
  }

  @Test(
    "a minor's guardian signs, with the stated authority, and from an age the minor assents",
    arguments: [
      (2016, ["guardian"]), (2010, ["guardian", "participant"]), (2000, ["participant"]),
    ])
  func minors(year: Int, signers: [String]) throws {
    var walker = try aged(CalendarDate(year: Int32(year), month: 1, day: 1))
    var authority = ""
    try walker.goOn { screen in
      if screen.signatureForm?.signatureID == "guardian" { authority = screen.signatureForm?.authority ?? "" }
      return false
    }
    #expect(walker.state.signatures.map(\.signatureID) == signers)
    #expect(authority.isEmpty == !signers.contains("guardian"))
  }

  @Test("a birth date that is not known is asked for before the document is read")
  func birthDateAsked() throws {
    var walker = try aged(nil)
    #expect(walker.screen.questions.map(\.kind) == [.birthDate])
    let young = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2024, month: 1, day: 1))
    let never = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2023, month: 2, day: 29))
    #expect(
      #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: [never])) }?.rule
        == "no_such_day")
    try walker.act(FlowAction(kind: .answer, answers: [young]))
    #expect(walker.outcome == .underAge)
  }
}
