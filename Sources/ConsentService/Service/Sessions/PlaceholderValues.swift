internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// What stands in a session's texts for their placeholders: fixed when it begins, and anew in another language. Only a
/// name that is first given in the session itself is filled in later.
enum PlaceholderValues {
  static func values(
    for session: StoredSession, _ used: Set<Placeholder>, _ locale: LocaleTag, _ snapshot: Snapshot
  ) throws -> [FilledPlaceholder] {
    let kept = session.state.texts?.filled ?? []
    guard kept.isEmpty else { return kept }
    return try used.sorted { $0.rawValue < $1.rawValue }.map { placeholder in
      let value: String? =
        switch placeholder {
        case .participantName: try name(of: session, snapshot)
        case .siteName: try StudyStore.site(session.siteID, of: session.studyID, snapshot)?.name
        case .studyName: try StudyStore.study(session.studyID, snapshot).name(for: locale)
        case .today: CalendarDay(of: session.startedAt).description
        }
      return FilledPlaceholder(name: placeholder.rawValue, value: value ?? Placeholder.blank)
    }
  }

  /// Words for a preview: as far as they are not known before there is a person, made up.
  static func sample(of studyID: String, _ locale: LocaleTag, _ snapshot: Snapshot) throws -> [String: String] {
    let site = try StudyStore.sites(of: studyID, PageRequest(size: 1), snapshot).0.first
    return [
      Placeholder.participantName.rawValue: "Ada Lovelace", Placeholder.siteName.rawValue: site?.name ?? "Site 1",
      Placeholder.studyName.rawValue: try StudyStore.study(studyID, snapshot).name(for: locale),
      Placeholder.today.rawValue: CalendarDay(of: snapshot.now).description,
    ]
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
  /// Fills the person's name into the documents that follow, if it was given just now.
  ///
  /// - Returns: whether texts have changed, so that the session goes on with another script.
  mutating func fillName(after changes: [FlowChange], _ script: FlowScript) -> Bool {
    let filled = script.filledLater(changes, in: state)
    guard filled != state.texts?.filled ?? [] else { return false }
    state.texts?.filled = filled
    return true
  }

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
