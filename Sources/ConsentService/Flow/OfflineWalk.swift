package import Base
package import ConsentContract
internal import ServicePolicy
internal import Wire

/// Replays a session that was walked without a connection. The device had only the table of screens; the server also
/// knows the right answers.
package struct OfflineWalk {
  private let engine: FlowEngine
  private let now: Instant

  package struct Result {
    package let state: SessionState
    package let changes: [FlowChange]
    /// Why the decisions need a person's attention; empty if they do not.
    package let attention: String
  }

  package init(script: FlowScript, now: Instant) {
    engine = FlowEngine(script, followsTable: true)
    self.now = now
  }

  /// Validates every action again: an action that the table does not offer is refused, and the whole submission with
  /// it. What the table could not know is checked at the end.
  ///
  /// - Parameter proof: verifies the signature of an action; gets the action's index and the state before it.
  package func replay(
    _ actions: [FlowAction], on start: SessionState, proof: (Int, SessionState) throws -> SignatureProof
  ) throws -> Result {
    var state = start
    var changes: [FlowChange] = []
    for (index, action) in actions.enumerated() {
      do {
        let (next, made) = try engine.apply(action, to: state, proof: try proof(index, state), at: now)
        state = next
        changes += made
      } catch let error as Refusal {
        let message = "actions[\(index)]: \(error.message)"
        throw Refusal(error.kind, error.rule, field: "actions[\(index)]", message)
      }
    }
    return Result(state: state, changes: changes, attention: attention(state))
  }

  /// When a decision was made by the device's clock, limited to the time between the session's start and the
  /// submission.
  private func decided(_ result: DocumentResult, in state: SessionState) -> Instant {
    guard let claimed = result.deviceTime?.at?.clamped else { return result.decidedAt?.clamped ?? now }
    return min(max(claimed, state.startedAt?.clamped ?? claimed), now)
  }

  /// What the server finds that the device could not: answers below the pass mark, an age, a date.
  private func attention(_ state: SessionState) -> String {
    for result in state.documents where result.agreed {
      guard let document = engine.script.documents[result.documentID] else { continue }
      if let test = document.settings.comprehension, test.attempts > 0,
        AttemptRules.made(state.attempts, at: document.id) > Int(test.attempts)
      {
        return "attempts_used_up: no attempt at the questions about '\(document.id)' was left"
      }
      if document.settings.comprehension != nil,
        !state.attempts.contains(where: { $0.documentID == document.id && $0.passed })
      {
        return "below_pass_mark: the questions about '\(document.id)' were answered below the pass mark"
      }
      let started = state.startDay
      let standing = AgeRule.standing(document.settings.age, birthDate: state.birthDate?.checked, on: started)
      if !state.birthDateGiven, standing != .ofAge {
        let isMinor = standing != .tooYoung
        return isMinor ? "guardian_missing: a guardian's permission is needed" : "under_age: the person is too young"
      }
      do throws(Refusal) {
        try SigningRules.checkDates(document.settings, at: decided(result, in: state))
      } catch {
        return "\(error.rule): \(error.message)"
      }
    }
    return ""
  }
}
