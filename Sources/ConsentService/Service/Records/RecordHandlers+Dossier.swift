internal import Base
internal import CommonContract
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Dossiers for inspectors: what is on record, on pages and as evidence, in one sealed file.
extension RecordHandlers {
  func exportDossier(_ request: ExportDossierRequest, context: CallContext) async throws -> ExportDossierResponse {
    let touched = AccessTarget.everything(in: request.studyID)
    // Nothing is signed or read for a caller who would be refused.
    let (study, maker) = try await data.read(context, of: touched) { snapshot, caller, _ in
      (try StudyStore.study(request.studyID, snapshot), caller.actor)
    }
    let (signer, tenant) = (try evidence.required(), try context.tenant())
    _ = try? await signer.sign(tenant)
    var dossier = Dossier(
      of: study, for: request, by: maker, at: clock.now,
      evidence: (log: signer.origin(of: tenant), key: Hex.encode(signer.verifyingKey.bytes)))
    var files = DossierFiles()
    try await addRecords(to: &dossier, &files, touched, context)
    let trail = try await addTrail(to: &dossier, context)
    let sealed = try await copies.sealed(Self.paper(of: dossier, files.end(), trail), tenant)
    return ExportDossierResponse(
      contentType: "application/pdf", content: sealed.bytes, records: Int32(clamping: dossier.parts.count))
  }

  // MARK: Records

  /// What is read of a record in one snapshot.
  private struct Read: Sendable {
    let part: Dossier.Part
    let copy: [UInt8]?
    let evidence: RecordEvidence
  }

  private func addRecords(
    to dossier: inout Dossier, _ files: inout DossierFiles, _ touched: AccessTarget, _ context: CallContext
  ) async throws {
    let (query, tenant) = (RecordQuery(dossier.request), try context.tenant())
    var token = ""
    repeat {
      let page = try PageRequest(size: DossierFiles.readAtOnce, token: token)
      let (read, decisions, next) = try await data.disclose(context, of: { _, _ in touched }) {
        snapshot, _, disclosure in
        let (heads, next) = try RecordSearch.list(query, page, snapshot)
        let read = try heads.map { try Self.read($0, snapshot, &disclosure) }
        return (read, try Self.decisions(of: heads, snapshot), next)
      }
      for one in read {
        dossier.parts.append(one.part)
        let id = one.part.recordID
        try files.add("\(id).json", try await bundle(one.evidence, about: id, earlier: [], of: tenant))
        if let copy = one.copy { try files.add("\(id).pdf", copy) }
      }
      dossier.decisions += decisions
      try files.check(records: dossier.parts.count)
      token = next
    } while !token.isEmpty
    if dossier.parts.isEmpty, !dossier.request.subjectID.isEmpty {
      throw Refusal.notFound("subject", dossier.request.subjectID)
    }
    // In the order of each person's list.
    dossier.decisions.sort { ($0.subjectID, $0.number) < ($1.subjectID, $1.number) }
  }

  private static func read(
    _ head: ConsentRecord, _ snapshot: Snapshot, _ disclosure: inout Disclosure
  ) throws -> Read {
    let record = try RecordStore.record(head.recordID, snapshot)
    try RecordStore.verify([try record.withCopies(snapshot)], withLaterVersions: true, snapshot)
    let title = try ExportFacts(of: record, snapshot).title
    var copy: [UInt8]?
    if try !snapshot.vault.isErased(try Subject.stored(record.subjectID)) {
      for part in CopyName.Part.allCases where copy == nil {
        guard let stored = try CopyStore.copy(of: CopyName(record.recordID, part), snapshot) else { continue }
        copy = try CopyStore.file(of: stored, part, record, snapshot)?.bytes
      }
    }
    let opened = try record.opened(snapshot, &disclosure, for: "dossier").asOfNow(snapshot)
    return Read(
      part: Dossier.Part(opened, title: title), copy: copy, evidence: try RecordEvidence(of: record, snapshot))
  }

  private static func decisions(of heads: [ConsentRecord], _ snapshot: Snapshot) throws -> [ConsentDecision] {
    let records = Set(heads.map(\.recordID))
    return try Set(heads.map(\.subjectID)).sorted().flatMap { subject in
      try DecisionStore.verified(of: subject, snapshot).filter { records.contains($0.recordID) }
    }
  }

  // MARK: The trail

  /// Adds what happened to the dossier.
  ///
  /// - Returns: all of it as a table.
  private func addTrail(to dossier: inout Dossier, _ context: CallContext) async throws -> [UInt8] {
    let request = dossier.request
    let wanted = TrailFilter(
      ExportTrailRequest(
        studyID: request.studyID, subjectID: request.subjectID, from: request.from, until: request.until))
    var table = ExportTable.csv.head(TrailEntry.exportNames)
    var position = try TrailPosition(token: "")
    while true {
      let page = try await trail(
        of: request.studyID, after: position, limit: Int(fileParts.rows), for: "dossier", context)
      for entry in page.entries.filter(wanted.admits) {
        guard request.siteID.isEmpty || entry.siteID == request.siteID else { continue }
        dossier.add(entry)
        table += ExportTable.csv.bytes(entry.exportLine)
      }
      guard table.count <= DossierFiles.mostTrail else { throw DossierFiles.tooLong("its trail is longer") }
      if page.readUntil.map(wanted.isOver) ?? true { return table }
      position = page.next
    }
  }

  // MARK: The paper

  private static func paper(of dossier: Dossier, _ evidence: [UInt8], _ trail: [UInt8]) -> CopyPaper {
    let seal = SignaturePage(
      title: "Seal", content: "This dossier was made and sealed by the system that keeps the study.")
    let review = ReviewDocument(
      locale: "en", title: dossier.title, sections: DossierPages(dossier).sections, signaturePage: seal, paper: .a4,
      marginPt: 45)
    var paper = CopyPaper(review: review, created: dossier.made)
    paper.isSealable = true
    (paper.header, paper.author) = (dossier.study.name, dossier.study.name)
    paper.attachments = [
      CopyAttachment(
        name: "evidence.zip", mediaType: ZIPArchive.contentType, description: "Evidence and signed copy of each record",
        bytes: evidence),
      CopyAttachment(
        name: "trail.csv", mediaType: "text/csv", description: "The trail, by time", bytes: trail),
    ]
    return paper
  }
}

extension RecordQuery {
  fileprivate init(_ request: ExportDossierRequest) {
    self.init(
      studyID: request.studyID, siteID: request.siteID, subjectID: request.subjectID, from: request.from?.clamped,
      until: request.until?.clamped, isTest: request.test)
  }
}

/// The files that are attached to a dossier, within what one file may have.
private struct DossierFiles {
  private var archive = ZIPArchive()
  private var bytes: [UInt8] = []

  static let readAtOnce: Int32 = 20
  static let mostTrail = 4 << 20
  private static let mostRecords = 500
  private static let mostBytes = 14 << 20

  mutating func add(_ name: String, _ content: [UInt8]) throws(Refusal) {
    guard bytes.count + content.count <= Self.mostBytes else { throw Self.tooLong("its evidence is longer") }
    bytes += archive.add(name, content)
  }

  func check(records: Int) throws(Refusal) {
    guard records <= Self.mostRecords else { throw Self.tooLong("it has more than \(Self.mostRecords) records") }
  }

  consuming func end() -> [UInt8] { bytes + archive.end() }

  static func tooLong(_ why: String) -> Refusal {
    let message = "the dossier is too long for one file, since \(why): ask for a participant, a site, or a shorter time"
    return Refusal(.precondition, "dossier_too_long", field: "study_id", message)
  }
}
