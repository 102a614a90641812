internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// What somebody shows to begin or resume a session by an invitation. Wrong codes and wrong answers are counted as
/// passcodes are, and refused for a while when there were too many.
struct InvitationCheck: Sendable {
  let code: String
  let toldCode: String
  let birthDate: CalendarDate?

  /// Why the invitation is not opened; nil if it may be. The transaction has to be committed all the same, since it
  /// counts.
  ///
  /// - Parameters:
  ///   - guesser: where wrong codes are counted; nil for callers whom the gateway counts by their addresses.
  ///   - field: the request's field that has the code.
  func refusal(
    countingAt guesser: GuessPlace?, field: String, _ transaction: Transaction
  ) throws -> Refusal? {
    let wait = try guesser.flatMap { try GuessStore.wait(at: $0, transaction) }
    if let wait, wait > .zero { return Self.tooMany(field, wait) }
    guard let invitation = try InvitationStore.find(code, transaction) else {
      if let guesser { _ = try GuessStore.begin([guesser], transaction) }
      return InvitationStore.unknown(code, field: field)
    }
    if let guesser, wait != nil { try GuessStore.succeed([guesser], transaction) }
    return try invitation.stateRefusal(field) ?? answerRefusal(to: invitation, transaction)
  }

  private func answerRefusal(to invitation: StudyInvitation, _ transaction: Transaction) throws -> Refusal? {
    let given: InvitationSecret?
    let field: String
    switch invitation.challenge {
    case .toldCode: (given, field) = (toldCode.isEmpty ? nil : InvitationSecret(toldCode: toldCode), "told_code")
    case .birthDate: (given, field) = (birthDate.map { InvitationSecret(birthDate: $0) }, "birth_date")
    case .unspecified, .unrecognized: return nil
    }
    let expected = try InvitationStore.secret(of: invitation, transaction)
    guard let given else {
      return Refusal(
        .precondition, "challenge_missing", field: field, "\(field) is missing, for which the invitation asks",
        details: [invitation.notice])
    }
    let place = GuessPlace("invitation/\(invitation.code)", .person)
    if case .waits(let wait) = try GuessStore.begin([place], transaction) { return Self.tooMany(field, wait) }
    guard given == expected else {
      return Refusal(
        .precondition, "challenge_wrong", field: field, "\(field) is not what the invitation asks for",
        details: [invitation.notice])
    }
    try GuessStore.succeed([place], transaction)
    return nil
  }

  private static func tooMany(_ field: String, _ wait: Duration) -> Refusal {
    let seconds = max(1, (wait.wholeMilliseconds + 999) / 1000)
    return Refusal(
      .exhausted, "too_many_attempts", field: field,
      "\(field): too many wrong ones were given; the next may be given in \(seconds) seconds",
      retryAfter: .seconds(seconds))
  }
}

extension StudyInvitation {
  var notice: InvitationNotice { InvitationNotice(state: state, challenge: challenge) }

  /// Why the invitation leads nowhere any more; nil while it is usable.
  func stateRefusal(_ field: String) -> Refusal? {
    let (rule, words): (String, String)
    switch state {
    case .usedUp: (rule, words) = ("invitation_used_up", "is used up: the session that it began has ended")
    case .revoked: (rule, words) = ("invitation_revoked", "was revoked")
    case .expired:
      (rule, words) = ("invitation_expired", "ended at \(TimeText.rfc3339(expiresAt.orEpoch))")
    case .usable, .unspecified, .unrecognized: return nil
    }
    return Refusal(.precondition, rule, field: field, "\(field): the invitation \(words)", details: [notice])
  }
}
