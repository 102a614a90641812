package import AccountContract

/// What an item was and why it was not done, in a person's words.
package struct ItemWords: Sendable {
  private let texts: AccountTexts

  package init(_ texts: AccountTexts) {
    self.texts = texts
  }

  package func filled(_ outcome: ItemOutcome) -> ItemOutcome {
    var filled = outcome
    (filled.title, filled.description) = (texts[what(outcome)], texts[why(outcome)])
    return filled
  }

  private func what(_ outcome: ItemOutcome) -> AccountTextKey {
    switch outcome.method.split(separator: "/").last ?? "" {
    case "StartSession", "RecordConsent", "SubmitOfflineWalk", "ActOnSession": .itemConsent
    case "WithdrawConsent": .itemWithdrawal
    case "UpdateSharing": .itemSharing
    case "AbandonSession": .itemEnd
    case "UpdateProfile": .itemProfile
    default: UploadableMethod.named(outcome.method) == nil ? .itemOther : .itemSignature
    }
  }

  private func why(_ outcome: ItemOutcome) -> AccountTextKey {
    if outcome.rule == "outcome_unknown" { return .reasonUnknown }
    if outcome.state == .conflict { return .reasonChanged }
    return UploadRules.isOfRights(outcome) ? .reasonRights : .reasonRefused
  }
}
