package import Base
package import ConsentContract
internal import Wire

/// How many attempts at a document's questions a subject has made and has left, over all sessions.
package enum AttemptRules {
  /// The attempts that count.
  package static func made(_ attempts: [QuestionAttempt], at documentID: String) -> Int {
    attempts.count { $0.documentID == documentID && !$0.renewed }
  }

  package static func isUsedUp(_ test: ComprehensionTest, _ attempts: [QuestionAttempt], at documentID: String) -> Bool
  {
    test.attempts > 0 && made(attempts, at: documentID) >= Int(test.attempts)
  }

  /// A subject's attempts in their order, those marked that a decision or a pause has renewed.
  package static func marked(
    _ history: AttemptHistory, by test: ComprehensionTest, at now: Instant
  ) -> [QuestionAttempt] {
    let decided = history.renewals.map(\.at.orEpoch).max()
    let pause = test.renewedAfter?.duration
    var marked = history.attempts
    for index in marked.indices {
      let time = marked[index].at.orEpoch
      let next = index + 1 < marked.count ? marked[index + 1].at.orEpoch : now
      let isPast = decided.map { time <= $0 } ?? false
      guard isPast || pause.map({ next >= time + $0 }) ?? false else { continue }
      for earlier in marked.startIndex...index { marked[earlier].renewed = true }
    }
    return marked
  }
}
