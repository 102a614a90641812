import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

/// What is decided in a review is the text that was read in it, and nothing comes after a review without a decision.
@Suite("The review that was read is the one that is decided")
struct ShownReviewTests {
  /// The same flow with another text, as after a change of the words beside a document.
  private func other() throws -> FlowEngine {
    var settings = Example.settings()
    settings.comprehension = nil
    var flow = Example.flow()
    flow.steps.removeAll { !["review", "end"].contains($0.id) }
    return try Example.engine(flow, settings: settings) { $0.reviewText = "Please read this instead." }
  }

  private func rule(_ kind: ActionKind, _ engine: FlowEngine, _ state: SessionState) -> String? {
    do {
      _ = try engine.apply(FlowAction(kind: kind), to: state, at: Example.now)
      return nil
    } catch {
      return error.rule
    }
  }

  @Test("another text is neither agreed nor disagreed to before it was read; one may turn away from it")
  func changed() throws {
    let other = try other()
    var walker = try DocumentWalks.reviewing()
    #expect(rule(.scrolledToEnd, other, walker.state) == "text_changed")
    #expect(rule(.disagree, other, walker.state) == "text_changed")
    #expect(rule(.cancel, other, walker.state) == nil)
    try walker.act(.scrolledToEnd)
    #expect(rule(.agree, other, walker.state) == "text_changed")
    try walker.act(.agree)
    #expect(rule(.confirm, other, walker.state) == "text_changed")
    #expect(rule(.dismiss, other, walker.state) == nil)
    try walker.act(.confirm)
    #expect(rule(.enterName, other, walker.state) == "text_changed")
  }

  @Test("resumed, a review that has changed is read again, and then decided")
  func readAgain() throws {
    let other = try other()
    var walker = try DocumentWalks.reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm)
    #expect(other.script.hasOtherReview(than: walker.state))
    var state = other.inAnotherLanguage(walker.state)
    #expect(!other.script.hasOtherReview(than: state) && state.documents.isEmpty)
    #expect(!other.offered(in: state).contains(.agree))
    for kind in [ActionKind.scrolledToEnd, .agree, .confirm] {
      state = try other.apply(FlowAction(kind: kind), to: state, at: Example.now).state
    }
    let review = other.script.documents[Example.documentID]?.review
    #expect(review != nil && state.documents.first?.shownHash == review?.hash)
  }

  @Test("a page on which one names or signs is of no use without an agreement")
  func withoutAgreement() throws {
    var walker = try DocumentWalks.reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm)
    try walker.act(Walker.filled(.enterName, on: walker.screen))
    var state = walker.state
    #expect(walker.screen.kind == .signature)
    state.documents = []
    let sign = Walker.filled(.sign, on: walker.screen)
    let refusal = #expect(throws: Refusal.self) { try walker.engine.apply(sign, to: state, at: Example.now) }
    #expect(refusal?.rule == "not_agreed")
    #expect(throws: Never.self) { try walker.engine.apply(FlowAction(kind: .back), to: state, at: Example.now) }
  }
}
