package import ConsentContract

/// What an event does to answers about consent that were given before it.
///
/// Only this place decides about it: a change that turns a yes into a no waits for every process
/// (`Transaction.recallAnswers`), and every process drops the cached answers that the event concerns.
package struct AnswerEffect: Equatable {
  package enum Reach: Equatable {
    case none, subject, tenant
  }

  /// For whom answers may have changed.
  package let reach: Reach
  /// Whether a yes may have become a no.
  package let takesBack: Bool

  private static let nothing = AnswerEffect(reach: .none, takesBack: false)

  /// An event that is not listed as harmless counts as one that takes a yes back.
  package static func of(_ event: ConsentEvent) -> AnswerEffect {
    switch event.kind {
    case .sessionStarted, .sessionActed, .sessionEnded, .personalDataRead, .legalHoldChanged, .invitationChanged,
      .consentDue, .accessDenied, .studyChanged, .textsChanged, .draftChanged, .approvalRequested, .translationAdded,
      .signedCopyChanged, .versionReinstated, .webhookChanged:
      return nothing
    case .recordEntry:
      return AnswerEffect(reach: .subject, takesBack: !givesOnly(event.entry))
    default:
      return AnswerEffect(reach: event.subjectID.isEmpty ? .tenant : .subject, takesBack: true)
    }
  }

  /// True for entries after which a record permits no less than before.
  private static func givesOnly(_ entry: EntryKind) -> Bool {
    switch entry {
    case .given, .declined, .signed, .inForce, .paperRegistered, .rendered: true
    case .attentionConfirmed, .attentionRejected: true
    default: false
    }
  }
}
