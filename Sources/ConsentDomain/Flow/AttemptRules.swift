package import Base
package import ConsentContract
internal import Wire

/// How many attempts at a document's questions a subject has made and has left, over all sessions.
package enum AttemptRules {
  /// How many attempts at a document's questions count: those that were not renewed.
  package static func made(_ attempts: [QuestionAttempt], at documentID: String) -> Int {
    attempts.count { $0.documentID == documentID && !$0.renewed }
  }

  package static func isUsedUp(_ test: ComprehensionTest, _ attempts: [QuestionAttempt], at documentID: String) -> Bool
  {
    test.attempts > 0 && made(attempts, at: documentID) >= Int(test.attempts)
  }

  /// A subject's attempts in their order. Those that staff's decision or a pause has renewed are marked.
  package static func marked(
    _ history: AttemptHistory, by test: ComprehensionTest, at now: Instant
  ) -> [QuestionAttempt] {
    let decided = history.renewals.map(\.at.orEpoch).max()
    let pause = test.renewedAfter?.duration
    var marked = history.attempts
    // A renewal covers an attempt and all attempts before it.
    let last = marked.indices.last { index in
      let time = marked[index].at.orEpoch
      let next = index + 1 < marked.count ? marked[index + 1].at.orEpoch : now
      let isPast = decided.map { time <= $0 } ?? false
      return isPast || pause.map { next >= time + $0 } ?? false
    }
    guard let last else { return marked }
    for index in marked.startIndex...last { marked[index].renewed = true }
    return marked
  }

  /// How many attempts at a version's questions are kept: more than a document may allow before they are renewed.
  package static let mostKept = 500

  /// The attempts that are stored: the newest ones and, if all of these failed, the last one before them that passed.
  /// No rule looks at others, and a document may allow any number of attempts.
  package static func kept(_ attempts: [QuestionAttempt]) -> [QuestionAttempt] {
    guard attempts.count > mostKept else { return attempts }
    let newest = attempts.suffix(mostKept)
    guard !newest.contains(where: \.passed), let passed = attempts.last(where: \.passed) else { return Array(newest) }
    return [passed] + newest
  }
}
