internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Changes of records: withdrawal, another sharing choice, consent on paper.
extension RecordHandlers {
  func withdrawConsent(
    _ request: WithdrawConsentRequest, context: CallContext
  ) async throws -> WithdrawConsentResponse {
    try Refusal.requireShort(request.reason)
    let find: ServiceDatabase.Lookup<Found<Withdrawable>> = { snapshot, gate in
      try Self.named(by: request, snapshot, gate)
    }
    return try await data.once(request, context, of: find) {
      transaction, caller, found in
      let named = found.value.named
      let concerned = named + found.value.besides
      let purposes = try Self.purposes(of: request, concerned)
      let isOnBehalf = named.contains { $0.accessTargets.contains(where: caller.isStaff) }
      if isOnBehalf {
        try Refusal.requireReason(request.reason, for: "it is needed when consent is withdrawn on somebody's behalf")
      }
      var entry = try RecordFiling.entry(request.deviceTime, request.reason, transaction, caller)
      entry.onBehalf = isOnBehalf
      var changed: [ConsentRecord] = []
      for isTest in [false, true] {
        guard let record = concerned.last(where: { $0.test == isTest }) else { continue }
        // A no that is said again counts from now on: the person may be known by another identifier, too, under which
        // they have said yes meanwhile, and which is merged into this one later.
        let decision = ConsentDecision(
          studyID: record.studyID, decidedAt: entry.at, actor: caller.actor, recordID: record.recordID, test: isTest)
        try DecisionStore.add(decision, about: purposes, of: record.subjectID, transaction)
        let withdrawal = entry
        let ended = try Settlement.settle(
          record.subjectID, in: record.studyID, isTest: isTest, transaction, entry: { _ in withdrawal })
        if ended.isEmpty, !purposes.isEmpty {
          let event = ConsentEvent(
            kind: .saidNo, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
            recordID: record.recordID, test: isTest, purposes: purposes)
          try transaction.note(event, by: caller)
        }
        changed += ended
      }
      let answered = try answered(changed, named, found.value.open, transaction)
      // The stored response is erased with one subject, so it has attempts only if all of its records are that
      // subject's.
      guard Set(concerned.map(\.subjectID)).count == 1 else { return WithdrawConsentResponse(records: answered) }
      return WithdrawConsentResponse(records: try answered.map { try $0.withAttemptsAsFarAsKnown(transaction) })
    }
  }

  /// The records that a withdrawal answers with: those that it changed and the caller may see, the named ones first. A
  /// withdrawal that is repeated changes nothing, and is answered with the records as they are.
  private func answered(
    _ changed: [ConsentRecord], _ named: [ConsentRecord], _ open: Set<String>, _ transaction: Transaction
  ) throws -> [ConsentRecord] {
    let names = Set(named.map(\.recordID))
    let seen = changed.filter { open.contains($0.recordID) }
    guard seen.isEmpty else {
      return seen.filter { names.contains($0.recordID) } + seen.filter { !names.contains($0.recordID) }
    }
    for record in named {
      let subject = try Subject.stored(record.subjectID)
      if try !transaction.vault.isErased(subject) { transaction.concern(subject) }
    }
    return try named.map { try RecordStore.record($0.recordID, transaction) }
  }

  /// The purposes that a withdrawal names or, if it names none, all that the records asked for.
  private static func purposes(
    of request: WithdrawConsentRequest, _ records: [ConsentRecord]
  ) throws(Refusal) -> [String] {
    // A record may have been declined or voided since somebody saw it: who names it says no all the same.
    let isNamed = !request.recordID.isEmpty
    let given = records.filter { $0.state != .voided && (isNamed || $0.state != .declined) }
    guard !given.isEmpty else {
      if isNamed { return [] }
      let message =
        "subject '\(request.subjectID.shortened)' has consented to nothing in study '\(request.studyID.shortened)'"
      throw Refusal(.precondition, "not_withdrawable", field: "subject_id", message)
    }
    let known = given.flatMap(\.asked).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    if let unknown = Set(request.purposes).subtracting(known).min() {
      let message = "consent was not given for '\(unknown.shortened)', but for: \(known.joined(separator: ", "))"
      throw Refusal(.invalid, "unknown_purpose", field: "purposes", message)
    }
    let wanted = request.purposes.isEmpty ? known : known.filter(request.purposes.contains)
    // Whoever names a record that is withdrawn already says what they have said: a consent that was given since stands.
    guard let named = records.first(where: { $0.recordID == request.recordID }) else { return wanted }
    return named.state == .withdrawn ? [] : wanted.filter { !named.withdrawnPurposes.contains($0) }
  }

  /// The records that a withdrawal concerns.
  private struct Withdrawable: Sendable {
    var named: [ConsentRecord]
    /// The person's other consents to a named record's document: whoever withdraws from one means all.
    var besides: [ConsentRecord] = []
    /// Which records in the study the caller may see.
    var open: Set<String> = []
  }

  /// Finds the records that a request names: one, or all of a subject's in a study, whether or not they have something
  /// to withdraw.
  private static func named(
    by request: WithdrawConsentRequest, _ snapshot: Snapshot, _ gate: Gate
  ) throws -> Found<Withdrawable> {
    let record = try request.recordID.isEmpty ? nil : RecordStore.head(request.recordID, snapshot)
    let (personID, studyID) = (record?.subjectID ?? request.subjectID, record?.studyID ?? request.studyID)
    let heads = try RecordStore.heads(ofPerson: personID, snapshot).filter { $0.studyID == studyID }
    var found = Withdrawable(named: try record.map { [$0] } ?? recordable(heads, snapshot))
    for head in heads where try gate.isOpen(to: head, snapshot) { found.open.insert(head.recordID) }
    if let record {
      found.besides =
        record.kind == .form ? [] : try recordable(RecordFiling.standing(besides: record, snapshot), snapshot)
      return Found(found, targets: record)
    }
    if !found.named.isEmpty { return Found(found, targets: found.named) }
    // If all records are of erased identifiers, these are returned, and the refusal of the withdrawal says so.
    guard heads.isEmpty else { return Found(Withdrawable(named: heads), targets: heads) }
    return Found(found, targets: AccessTarget.person(request.subjectID, in: request.studyID))
  }

  /// The records whose subjects' data were not erased: nothing more can be recorded about the others.
  private static func recordable(_ heads: [ConsentRecord], _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try heads.filter { head in try Subject(head.subjectID).map { try !snapshot.vault.isErased($0) } ?? false }
  }

  func updateSharing(_ request: UpdateSharingRequest, context: CallContext) async throws -> UpdateSharingResponse {
    return try await data.once(request, context, of: Self.head(request.recordID)) {
      transaction, caller, _ in
      var record = try RecordStore.locked(request.recordID, transaction)
      let known = record.history.count
      var entry = try RecordFiling.entry(request.deviceTime, "", transaction, caller)
      entry.queuedBy = QueuedCalls.queue(of: context)
      try record.changeSharing(request.sharing, entry: entry)
      if record.history.count > known {
        try QueuedCalls.checkSharing(of: record, context, caller, transaction)
        try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      }
      // A repeated choice changes no data of the subject. The stored response has the subject's scores all the same, so
      // it must be erased with the subject.
      let subject = try Subject.stored(record.subjectID)
      if try !transaction.vault.isErased(subject) { transaction.concern(subject) }
      return UpdateSharingResponse(record: try record.withAttemptsAsFarAsKnown(transaction))
    }
  }

  func createPaperRecord(
    _ request: CreatePaperRecordRequest, context: CallContext
  ) async throws -> CreatePaperRecordResponse {
    let subjectID = request.subjectID.isEmpty ? identifiers.next() : request.subjectID
    let recordID = identifiers.next()
    let find: ServiceDatabase.Lookup<[AccessTarget]> = { snapshot, _ in
      try ConsentRelations(snapshot: snapshot).joining(subjectID, request.studyID, at: request.siteID)
    }
    return try await data.countingBirthDates(context, of: find) {
      try await register(request, subjectID, recordID, context, of: find)
    }
  }

  /// Who signed on the paper, as staff states.
  private static func signatures(
    on request: CreatePaperRecordRequest, _ version: DocumentVersion, into secrets: inout RecordSecrets,
    salts: Randomness
  ) throws -> [RecordSignature] {
    let content = version.content ?? DocumentContent()
    let locale = LocaleTag(request.locale) ?? .english
    let text = content.text(for: locale) ?? DocumentText()
    let words = SignerWords(
      text, ScreenTexts(locale: locale, standIn: LocaleTag(content.defaultLocale) ?? locale, own: TextsVersion()))
    return try request.signers.map { signer in
      guard let definition = content.settings?.signature(signer.signatureID) else {
        throw Refusal.notFound("signature", signer.signatureID, field: "signers")
      }
      let given = GivenSignature(
        documentID: request.documentID, signatureID: signer.signatureID, name: try SigningRules.name(signer.name),
        signedAt: request.signedAt, personID: definition.role == .participant ? request.subjectID : "")
      let facts = RecordMaker.SignerFacts(
        locale: locale, meaning: words.meaning(of: definition), authority: words.authority(of: definition), signer: "")
      var (signature, secret) = RecordMaker.signature(given, facts, salts: salts)
      signature.role = definition.role
      secrets.signatures.append(secret)
      return signature
    }
  }

  private func register(
    _ request: CreatePaperRecordRequest, _ subjectID: String, _ recordID: String, _ context: CallContext,
    of find: @escaping ServiceDatabase.Lookup<[AccessTarget]>
  ) async throws -> CreatePaperRecordResponse {
    try await data.once(request, context, about: Subject(request.subjectID), of: find) { transaction, caller, _ in
      let subject = try Subject.named(subjectID)
      try caller.requireOther(than: subjectID, field: "subject_id", transaction)
      if let given = request.birthDate {
        _ = try BirthDateStore.isStated(given, of: subjectID, isTest: false, field: "birth_date", transaction)
      }
      try StudyStore.checkSite(request.siteID, of: request.studyID, transaction)
      let document = try DocumentStore.named(request.documentID, transaction)
      guard document.studyID == request.studyID else { throw Refusal.notFound("document", request.documentID) }
      let version = try DocumentStore.version(request.documentVersion, of: document, transaction)
      var record = try PaperRules.record(request, version, id: recordID, subjectID: subjectID, at: transaction.now)
      let scan = try transaction.commit(request.scan, as: "scan", PaperRules.item(recordID), of: subject)
      record.scanHash = scan.digest.hex
      var secrets = RecordSecrets(scanCommitment: scan.id, majorityStated: !record.majorityMonth.isEmpty)
      record.signatures = try Self.signatures(on: request, version, into: &secrets, salts: randomness)
      try RecordStore.saveSecrets(secrets, of: record, transaction)
      // A birth date on paper is stored as a statement like any other, if the document has a rule about age.
      if let given = request.birthDate, version.content?.settings?.age != nil {
        try BirthDateStore.state(given, on: record, field: "birth_date", by: caller, transaction)
      }
      var entry = try RecordFiling.entry(nil, "", transaction, caller).of(.paperRegistered)
      entry.sharing = request.sharing
      record.append(entry)
      let seen = try DecisionStore.place(of: record.decidedAt.orEpoch, by: subjectID, in: record.studyID, transaction)
      let attention = try RecordFiling.overtaken(
        record.purposes, of: subjectID, in: record.studyID, isTest: false, seenBefore: seen, transaction)
      try RecordFiling.decide(
        &record, seenBefore: seen, version.content?.settings ?? DocumentSettings(), transaction, by: caller.actor)
      entry = try RecordFiling.entry(nil, "", transaction, caller).of(attention.isEmpty ? .inForce : .needsAttention)
      entry.attention = attention
      record.append(entry)
      try RecordFiling.giveWay(&record, known: 0, transaction)
      try RecordFiling.update(record, known: 0, transaction, by: caller.actor)
      try Settlement.settle(after: record, transaction, caller)
      try CopyFiling.follow(record, version.content?.settings ?? DocumentSettings(), randomness, transaction)
      return CreatePaperRecordResponse(record: try record.withCopies(transaction))
    }
  }
}
