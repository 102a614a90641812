internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// What stands in a session's texts for their placeholders: fixed when it begins, and anew in another language.
enum PlaceholderValues {
  static func values(
    for session: StoredSession, _ used: Set<Placeholder>, _ locale: LocaleTag, _ snapshot: Snapshot
  ) throws -> [String: String] {
    let kept = session.state.texts?.filled ?? []
    guard kept.isEmpty else { return Dictionary(kept.map { ($0.name, $0.value) }) { first, _ in first } }
    var values: [String: String] = [:]
    for placeholder in used {
      let value: String? =
        switch placeholder {
        case .participantName: try name(of: session, snapshot)
        case .siteName: try StudyStore.site(session.siteID, of: session.studyID, snapshot)?.name
        case .studyName: try StudyStore.study(session.studyID, snapshot).name(for: locale)
        case .today: CalendarDay(of: session.startedAt).description
        }
      values[placeholder.rawValue] = value ?? Placeholder.blank
    }
    return values
  }

  /// The name with which the participant last signed in the study; nil if they have not.
  private static func name(of session: StoredSession, _ snapshot: Snapshot) throws -> String? {
    let records = try RecordStore.heads(ofPerson: session.subjectID, snapshot).filter {
      $0.studyID == session.studyID && $0.test == session.isTest && $0.signatures.contains { $0.role == .participant }
    }
    for record in records.sorted(by: { $0.filedBefore > $1.filedBefore }) {
      let own = Set(record.signatures.filter { $0.role == .participant }.map(\.signatureID))
      let secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, snapshot)
      let name = secrets.signatures.first { own.contains($0.signatureID) && !$0.printedName.isEmpty }?.printedName
      if let name { return name }
    }
    return nil
  }
}

extension StoredSession {
  /// Puts what a review showed that names the person into the vault, where it is erased with them, and its commitment
  /// in place of its hash.
  mutating func keepNamedTexts(
    _ changes: inout [FlowChange], _ script: FlowScript, _ transaction: Transaction
  ) throws {
    func namesPerson(_ id: String) -> Bool { script.documents[id]?.namesPerson == true }
    for change in changes {
      guard case .reviewShown(let id, _, let html) = change, namesPerson(id) else { continue }
      let kept = try transaction.commit(
        Array(html.utf8), as: ShownContent.label, ShownContent.namedItem(self.id, id), of: try subject())
      state.documents.commit(kept, for: id)
      for index in changes.indices {
        guard case .documentDecided(let result) = changes[index], result.documentID == id else { continue }
        var results = [result]
        results.commit(kept, for: id)
        changes[index] = .documentDecided(results[0])
      }
    }
    changes.removeAll { if case .reviewShown(let id, _, _) = $0 { namesPerson(id) } else { false } }
  }
}

extension [DocumentResult] {
  /// States a commitment in place of the hash of what was shown.
  mutating func commit(_ kept: Commitment, for documentID: String) {
    for index in indices where self[index].documentID == documentID {
      (self[index].shownHash, self[index].shownCommitment) = (kept.digest.hex, kept.id)
    }
  }
}
