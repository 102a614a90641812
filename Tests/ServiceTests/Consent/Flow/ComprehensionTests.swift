import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

/// Questions that show whether a document was understood.
@Suite("Questions about a document")
struct ComprehensionTests {
  @Test("questions are scored on the server, attempts are kept, and below the pass mark they are asked again")
  func retry() throws {
    var walker = try DocumentWalks.walker(steps: ["quiz"])
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    let again = try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(again.questions.map(\.id) == ["leave"])
    #expect(again.entries?.notice == "1 of 2 answers were right. Please read again and try once more.")
    #expect(again.entries?.attemptsLeft == 1)
    #expect(again.entries?.answers.first?.choiceIDs == ["never"])
    try walker.act(Walker.filled(.answer, on: walker.screen))
    try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(walker.state.attempts.map(\.score) == [1, 2])
    #expect(walker.state.attempts.map(\.passed) == [false, true])
    #expect(walker.outcome == .completed)
  }

  @Test("when no attempt is left the session ends")
  func attemptsExhausted() throws {
    var walker = try DocumentWalks.walker(steps: ["quiz"])
    for _ in 0..<4 { try walker.act(Walker.filled(.answer, on: walker.screen, right: false)) }
    #expect(walker.outcome == .failedQuestions)
    #expect(walker.screen.offered.isEmpty)
  }

  @Test("after a failed attempt the sections are shown again where the document says so")
  func restudy() throws {
    var settings = Example.settings()
    settings.comprehension?.afterFailedAttempt = .restudy
    var walker = try DocumentWalks.walker(settings: settings, steps: ["sections", "quiz"])
    try walker.goOn { $0.kind == .questions }
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    let screen = try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(screen.stepID == "sections" && screen.title == "Welcome")
    #expect(screen.entries?.notice == "1 of 2 answers were right. Please read again and try once more.")
  }

  @Test("questions that were passed stay passed: going back costs no attempt")
  func passedStays() throws {
    var walker = try DocumentWalks.walker(steps: ["quiz", "sharing"])
    try walker.goOn { $0.kind == .sharing }
    try walker.act(.back)
    #expect(walker.screen.kind == .questions)
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    #expect(walker.screen.kind == .sharing)
    #expect(walker.state.attempts.count == 1)
  }

  @Test("no screen and no offline table holds the right answers")
  func answersStaySecret() throws {
    let walker = try DocumentWalks.walker()
    let table = try OfflineCompiler.table(of: walker.engine, from: walker.state)
    #expect(table.contains { $0.screen?.kind == .questions })
    let text = "\(table)"
    #expect(!text.contains("correct") && !text.contains("acceptedAnswers"))
  }

  @Test(
    "answers are checked against what the screen asks",
    arguments: [
      ("unknown_question", [QuestionAnswer(questionID: "nobody")]),
      ("unknown_choice", [QuestionAnswer(questionID: "leave", choiceIDs: ["later"])]),
      ("one_choice_only", [QuestionAnswer(questionID: "leave", choiceIDs: ["any-time", "never"])]),
      ("answer_missing", []),
      (
        "duplicate_answer",
        [QuestionAnswer(questionID: "leave", choiceIDs: ["never"]), QuestionAnswer(questionID: "leave")]
      ),
    ])
  func badAnswers(rule: String, answers: [QuestionAnswer]) throws {
    var walker = try DocumentWalks.walker(steps: ["quiz"])
    let before = walker.state
    let refusal = #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: answers)) }
    #expect(refusal?.rule == rule)
    #expect(walker.state == before)
  }

  @Test("what is kept of many attempts is all that counts: those since the last renewal, and that one passed")
  func keptAttempts() {
    func attempt(_ number: Int, passed: Bool = false) -> QuestionAttempt {
      QuestionAttempt(documentID: "d", passed: passed, at: Timestamp(Example.now + .seconds(number)))
    }
    let failed = (1...1000).map { attempt($0) }
    let few = Array(failed.prefix(500))
    #expect(AttemptRules.kept(few) == few)
    let (first, last) = (attempt(0, passed: true), attempt(1001, passed: true))
    let withFirst: [QuestionAttempt] = [first] + failed.suffix(500)
    #expect(AttemptRules.kept([first] + failed) == withFirst)
    let withLast: [QuestionAttempt] = failed.suffix(499) + [last]
    #expect(AttemptRules.kept(failed + [last]) == withLast)
    let renewal = RenewedAttempts(at: Timestamp(Example.now + .seconds(950)))
    let history = AttemptHistory(attempts: AttemptRules.kept(failed), renewals: [renewal])
    let marked = AttemptRules.marked(history, by: ComprehensionTest(attempts: 100), at: Example.now + .seconds(1000))
    #expect(marked.count == 500 && AttemptRules.made(marked, at: "d") == 50)
    #expect(marked.map(\.renewed) == (501...1000).map { $0 <= 950 })
  }
}
