internal import AccountContract
internal import ConsentContract
internal import ServicePolicy
internal import Storage

extension EventFollower {
  static func consent(_ data: ServiceDatabase, _ peers: any SyncPeers) -> EventFollower {
    EventFollower(source: .consent, data: data) { token, tenant in
      let (events, next) = try await peers.consentEvents(after: token, of: tenant)
      guard next != token else { return nil }
      return News(next: next) { transaction in for event in events { try note(event, transaction) } }
    }
  }

  private static func note(_ event: ConsentEvent, _ transaction: Transaction) throws {
    guard !event.subjectID.isEmpty else { return }
    // News of an account that was merged goes to the person who has it now.
    let names = try holders(of: event.subjectID, by: .consent, transaction)
    switch event.kind {
    case .sessionStarted, .sessionActed, .sessionEnded:
      for name in names { try ChangeStore.note(.session, event.sessionID, of: name, transaction) }
    case .recordEntry:
      for name in names {
        try ChangeStore.note(.record, event.recordID, of: name, transaction)
        if [.withdrawn, .declined, .sharingChanged].contains(event.entry) {
          try ChangeStore.noteWithdrawal(by: event.sequence, event.recordID, of: name, transaction)
        }
      }
      let isWaiting = event.state == .awaitingSignatures
      try ChangeStore.noteWaiting(event.recordID, of: event.subjectID, isWaiting: isWaiting, transaction)
    case .signedCopyChanged: for name in names { try ChangeStore.note(.record, event.recordID, of: name, transaction) }
    case .guardianChanged:
      guard !event.guardianID.isEmpty else { return }
      // This is noted only under the guardian's own identifier: a look-up of wards covers all identifiers of an
      // account.
      try ChangeStore.noteWard(
        event.subjectID, in: event.studyID, of: event.guardianID, isWard: event.note != "removed", transaction)
    case .subjectErased:
      let ended = try PersonStore.merged(into: event.subjectID, transaction)
      for name in names {
        try ChangeStore.removeAdopted(from: event.subjectID, by: name, butThoseOf: ended, transaction)
      }
      if ended.isEmpty {
        try ChangeStore.removeAll(of: event.subjectID, transaction)
      } else {
        // The account goes on while something is kept under an identifier that was merged into it. Its own erasure
        // removes the rest.
        try ChangeStore.removeOwn(of: event.subjectID, butThoseOf: ended, transaction)
      }
    default: return
    }
  }
}
