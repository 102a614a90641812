package import ConsentContract

extension ConsentEvent {
  /// Whether a yes about consent that was given before this event may be a no after it. Somebody might want to undo
  /// such a change unnoticed, so a head of the log is signed with it (`Transaction.signsHead`). An event that is not
  /// listed as harmless counts as one that takes a yes back.
  package var takesAnswersBack: Bool {
    switch kind {
    case .sessionStarted, .sessionActed, .sessionEnded, .personalDataRead, .legalHoldChanged, .invitationChanged,
      .consentDue, .accessDenied, .studyChanged, .textsChanged, .draftChanged, .approvalRequested, .translationAdded,
      .signedCopyChanged, .versionReinstated, .webhookChanged:
      false
    case .recordEntry: !entry.givesOnly
    default: true
    }
  }
}

extension EntryKind {
  /// True for entries after which a record permits no less than before.
  fileprivate var givesOnly: Bool {
    switch self {
    case .given, .declined, .signed, .inForce, .paperRegistered, .rendered: true
    case .attentionConfirmed, .rejected, .signingDeclined, .voidRequested, .voidRefused, .reinstated, .nameCorrected:
      true
    default: false
    }
  }
}
