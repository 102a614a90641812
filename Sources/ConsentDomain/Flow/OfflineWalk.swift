package import Base
package import ConsentContract
internal import Refusals
internal import Wire

/// Replays a session that was walked without a connection. The device had only the table of screens; the server also
/// knows the right answers.
package struct OfflineWalk {
  private let engine: FlowEngine
  private let now: Instant

  package struct Result {
    package var state: SessionState
    package var changes: [FlowChange]
    /// The script at the end, with the name in it that was entered on the way.
    package let script: FlowScript
    /// The birth dates that were stated during the walk, without those that repeat the one before.
    package private(set) var birthDates: [CalendarDate]
    /// Why agreements need a person's attention, by document. Decisions about other documents are not affected.
    package private(set) var attention: [String: String]

    /// Adds a reason for a document that was agreed to.
    ///
    /// - Parameter overridingOthers: whether it replaces a reason that was found before, as the cause of it.
    package mutating func question(_ documentID: String, _ reason: String, overridingOthers: Bool = false) {
      guard overridingOthers || attention[documentID] == nil,
        state.documents.contains(where: { $0.documentID == documentID && $0.agreed })
      else { return }
      attention[documentID] = reason
    }

    /// Ends a walk that needs attention with this outcome, wherever it ended, so that nobody continues it.
    package mutating func end(_ engine: FlowEngine, at now: Instant) {
      guard !attention.isEmpty else { return }
      let (ended, made) = engine.end(state, as: .needsAttention, at: now)
      state = ended
      changes += made
      state.outcome = .needsAttention
      for index in changes.indices {
        if case .ended = changes[index] { changes[index] = .ended(.needsAttention) }
      }
    }
  }

  /// - Parameter bundled: the session as it was when its table was made.
  package init(script: FlowScript, bundled: SessionState, now: Instant) {
    engine = FlowEngine(script, table: TableFacts(of: bundled))
    self.now = now
  }

  /// Validates every action again: an action that the table does not offer is refused, and the whole submission with
  /// it. What the table could not know is checked at the end.
  ///
  /// - Parameters:
  ///   - proof: verifies the signature of an action; gets the action's index and the state before it.
  ///   - filled: fills what an action has told into the texts that follow it; nil where there is nothing to fill in.
  package func replay(
    _ actions: [FlowAction], on start: SessionState, proof: (Int, SessionState) throws -> SignatureProof,
    filled: ([FlowChange], inout SessionState) throws -> FlowScript? = { _, _ in nil }
  ) throws -> Result {
    var engine = engine
    var state = start
    var changes: [FlowChange] = []
    var birthDates: [CalendarDate] = []
    for (index, action) in actions.enumerated() {
      do {
        let (next, made) = try engine.apply(action, to: state, proof: try proof(index, state), at: now)
        if let date = next.birthDate, date != state.birthDate { birthDates.append(date) }
        state = next
        changes += made
        if let script = try filled(made, &state) {
          engine = FlowEngine(script, table: engine.table)
          state = engine.withTextsFilled(state)
        }
      } catch let error as Refusal {
        let message = "actions[\(index)]: \(error.message)"
        throw Refusal(error.kind, error.rule, field: "actions[\(index)]", message)
      }
    }
    let failed = Set(state.attempts.dropFirst(start.attempts.count).filter { !$0.passed }.map(\.documentID))
    return Result(
      state: state, changes: changes, script: engine.script, birthDates: birthDates, attention: attention(state, failed)
    )
  }

  /// When a decision was made by the device's clock, limited to the time between the session's start and the
  /// submission.
  private func decided(_ result: DocumentResult, in state: SessionState) -> Instant {
    guard let claimed = result.deviceTime?.at?.clamped else { return result.decidedAt?.clamped ?? now }
    return min(max(claimed, state.startedAt?.clamped ?? claimed), now)
  }

  /// The reasons for attention, by document, that the server finds and the device could not: answers below the pass
  /// mark, an age, a date.
  ///
  /// - Parameter failed: the documents about which an attempt of this walk failed.
  private func attention(_ state: SessionState, _ failed: Set<String>) -> [String: String] {
    var found: [String: String] = [:]
    for result in state.documents where result.agreed {
      guard let document = engine.script.documents[result.documentID] else { continue }
      found[document.id] = attention(result, document, state) ?? goneOn(document, failed)
    }
    return found
  }

  /// The identifier of a signature that was given while one that has to come before it is missing; nil if there is
  /// none.
  private func signedEarly(_ document: ScriptDocument, _ check: AgeCheck?, _ state: SessionState) -> String? {
    let given = Set(state.signatures.filter { $0.documentID == document.id }.map(\.signatureID))
    let needed = Signing.needed(document.settings, check)
    guard let turn = needed.filter({ !given.contains($0.id) }).map(\.order).min() else { return nil }
    return needed.first { given.contains($0.id) && $0.order > turn }?.id
  }

  /// Why a document needs attention whose questions were answered again although a failed attempt should have ended the
  /// session; nil if they were not.
  private func goneOn(_ document: ScriptDocument, _ failed: Set<String>) -> String? {
    guard document.settings.comprehension?.afterFailedAttempt == .end, failed.contains(document.id) else { return nil }
    return "attempt_failed: the questions about '\(document.id)' were answered again after an attempt that ends a walk"
  }

  private func attention(_ result: DocumentResult, _ document: ScriptDocument, _ state: SessionState) -> String? {
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
    let birthDate = state.birthDate?.checked
    if document.settings.age != nil, birthDate == nil {
      return "birth_date_missing: no birth date is known, and the document has a rule about age"
    }
    let standing = AgeRule.standing(document.settings.age, birthDate: birthDate, on: started)
    if engine.table?.birthDate == nil, standing != .ofAge {
      let isMinor = standing != .tooYoung
      return isMinor ? "guardian_missing: a guardian's permission is needed" : "under_age: the person is too young"
    }
    let check = AgeRule.check(document.settings, documentID: document.id, birthDate: birthDate, standing)
    if let early = signedEarly(document, check, state) {
      return "signature_out_of_order: '\(early)' of '\(document.id)' was signed before others whose turn it was"
    }
    do throws(Refusal) {
      try SigningRules.checkDates(document.settings, at: decided(result, in: state))
      return nil
    } catch {
      return "\(error.rule): \(error.message)"
    }
  }
}
