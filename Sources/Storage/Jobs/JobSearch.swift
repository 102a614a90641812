internal import Base

/// What a runner looks for at one time.
struct JobSearch: Sendable {
  /// Why a job may be taken, by the name of its column in what is found of a kind.
  enum Reason: String {
    case leftBehind = "left_behind"
    case due
    case misdated

    var taking: Statement {
      switch self {
      case .leftBehind: JobStatements.takeLeft
      case .due: JobStatements.takeDue
      case .misdated: JobStatements.takeMisdated
      }
    }
  }

  let reasons: [Reason]
  private let now: Instant
  /// Later than any clock that is right says.
  private let impossible: Instant
  private let latest: Instant

  init(at now: Instant, _ policy: JobPolicy, looksThrough: Bool) {
    self.now = now
    impossible = now + policy.lease * 2
    latest = now + policy.longestDelay + policy.lease * 2
    reasons = looksThrough ? [.leftBehind, .due, .misdated] : [.leftBehind, .due]
  }

  var kinds: Statement { reasons.contains(.misdated) ? JobStatements.kindsLookedThrough : JobStatements.kinds }

  /// The parameters of a reason's condition.
  func limits(of reason: Reason) -> [Value] {
    switch reason {
    case .leftBehind: [now.storedValue, impossible.storedValue]
    case .due: [now.storedValue]
    case .misdated: [impossible.storedValue, impossible.storedValue, latest.storedValue]
    }
  }

  /// Those of all, in the order of the statement that finds kinds.
  var limitsOfAll: [Value] {
    limits(of: .due) + limits(of: .leftBehind) + (reasons.contains(.misdated) ? limits(of: .misdated) : [])
  }
}
