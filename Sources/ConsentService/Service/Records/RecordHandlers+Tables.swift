internal import Base
internal import CommonContract
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Records, decisions, copies and the trail as files, which are written part by part while they are read.
extension RecordHandlers {
  func exportRecords(
    _ request: ExportRecordsRequest, context: CallContext, responses: ResponseWriter<ExportRecordsResponse>
  ) async throws {
    switch request.format {
    case .recordsCSV: try await writeRecords(request, as: .csv, context, responses)
    case .recordsNdjson: try await writeRecords(request, as: .ndjson, context, responses)
    case .decisionsCSV: try await writeDecisions(request, as: .csv, context, responses)
    case .decisionsNdjson: try await writeDecisions(request, as: .ndjson, context, responses)
    case .signedCopiesZip: try await writeCopies(request, context, responses)
    case .unspecified, .unrecognized:
      let message =
        "format is \(request.format.number); it must be RECORDS_CSV, RECORDS_NDJSON, DECISIONS_CSV, "
        + "DECISIONS_NDJSON or SIGNED_COPIES_ZIP"
      throw Refusal(.invalid, "unknown_format", field: "format", message)
    }
  }

  private func writeRecords(
    _ request: ExportRecordsRequest, as table: ExportTable, _ context: CallContext,
    _ responses: ResponseWriter<ExportRecordsResponse>
  ) async throws {
    var head = table.head(ConsentRecord.exportNames)
    try await forEachPart(request, request.query, "export of records", context) { heads, snapshot in
      try heads.flatMap { head -> [UInt8] in
        let record = try RecordStore.record(head.recordID, snapshot)
        guard request.actor.isEmpty || record.history.contains(where: { $0.actor == request.actor }) else { return [] }
        return table.bytes(try record.withCopies(snapshot).asOfNow(snapshot).exportLine)
      }
    } write: { bytes in
      try await send(head + bytes) {
        try await responses.send(ExportRecordsResponse(contentType: table.contentType, content: $0))
      }
      head = []
    }
  }

  private func writeDecisions(
    _ request: ExportRecordsRequest, as table: ExportTable, _ context: CallContext,
    _ responses: ResponseWriter<ExportRecordsResponse>
  ) async throws {
    var query = request.query
    // A decision may be newer than the record that is its evidence.
    (query.from, query.until) = (nil, nil)
    var head = table.head(ConsentDecision.exportNames)
    try await forEachPart(request, query, "export of decisions", context) { heads, snapshot -> [UInt8] in
      var lists: [String: [ConsentDecision]] = [:]
      for subject in Set(heads.map(\.subjectID)) { lists[subject] = try DecisionStore.verified(of: subject, snapshot) }
      return heads.flatMap { record in
        (lists[record.subjectID] ?? []).filter { decision in
          decision.recordID == record.recordID && (request.actor.isEmpty || decision.actor == request.actor)
            && request.hasBetweenTimes(decision.decidedAt)
        }.flatMap { table.bytes($0.exportLine(evidence: record)) }
      }
    } write: { bytes in
      try await send(head + bytes) {
        try await responses.send(ExportRecordsResponse(contentType: table.contentType, content: $0))
      }
      head = []
    }
  }

  private func writeCopies(
    _ request: ExportRecordsRequest, _ context: CallContext, _ responses: ResponseWriter<ExportRecordsResponse>
  ) async throws {
    var archive = ZIPArchive()
    func write(_ part: [UInt8]) async throws {
      try await responses.send(ExportRecordsResponse(contentType: ZIPArchive.contentType, content: part))
    }
    try await forEachPart(request, request.query, nil, context) { heads, snapshot in
      guard !request.actor.isEmpty else { return heads.map(\.recordID) }
      return try heads.map(\.recordID).filter { id in
        try RecordStore.record(id, snapshot).history.contains { $0.actor == request.actor }
      }
    } write: { ids in
      for id in ids {
        guard let file = try await sealedFile(of: id, context) else { continue }
        try await send(archive.add("\(id).pdf", file.bytes), by: write)
      }
    }
    try await send(archive.end(), by: write)
  }

  /// Writes bytes of a file in messages of a bounded length, at least one.
  private func send(_ bytes: [UInt8], by write: ([UInt8]) async throws -> Void) async throws {
    var rest = bytes[...]
    repeat {
      try await write(Array(rest.prefix(fileParts.bytes)))
      rest = rest.dropFirst(fileParts.bytes)
    } while !rest.isEmpty
  }

  /// The sealed copy of a record: the whole one, or the participant's before; nil where there is none.
  private func sealedFile(of id: String, _ context: CallContext) async throws -> CommittedBytes? {
    try await data.disclose(context, of: Self.head(id)) { snapshot, record, disclosure in
      guard try !snapshot.vault.isErased(try Subject.stored(record.subjectID)) else { return nil }
      try RecordStore.verify([try record.withCopies(snapshot)], snapshot)
      for part in CopyName.Part.allCases {
        guard let stored = try CopyStore.copy(of: CopyName(id, part), snapshot),
          let file = try CopyStore.file(of: stored, part, record, snapshot)
        else { continue }
        disclosure.note(record, for: "signed copy")
        return file
      }
      return nil
    }
  }

  /// Reads the records that a request asks for, in parts, and writes what `read` makes of each: at least once.
  ///
  /// - Parameter purpose: what the reading is noted as; nil if each record's is noted by itself.
  private func forEachPart<Part: Sendable>(
    _ request: ExportRecordsRequest, _ query: RecordQuery, _ purpose: String?, _ context: CallContext,
    read: @escaping @Sendable ([ConsentRecord], Snapshot) throws -> Part, write: (Part) async throws -> Void
  ) async throws {
    let touched = AccessTarget.everything(in: request.studyID, site: request.siteID)
    var token = ""
    repeat {
      let page = try PageRequest(size: fileParts.rows, token: token)
      let (part, next) = try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
        let (heads, next) = try RecordSearch.list(query, page, snapshot)
        if let purpose { disclosure.note(heads.count, "records", of: touched, for: purpose) }
        return (try read(heads, snapshot), next)
      }
      try await write(part)
      token = next
    } while !token.isEmpty
  }

  // MARK: The trail

  func exportTrail(
    _ request: ExportTrailRequest, context: CallContext, responses: ResponseWriter<ExportTrailResponse>
  ) async throws {
    let table: ExportTable
    switch request.format {
    case .csv: table = .csv
    case .ndjson: table = .ndjson
    case .unspecified, .unrecognized:
      let message = "format is \(request.format.number); it must be CSV or NDJSON"
      throw Refusal(.invalid, "unknown_format", field: "format", message)
    }
    let wanted = TrailFilter(request)
    var head = table.head(TrailEntry.exportNames)
    var position = try TrailPosition(token: "")
    while true {
      let page = try await trail(
        of: request.studyID, after: position, limit: Int(fileParts.rows), for: "export of a trail", context)
      let lines = page.entries.filter(wanted.admits).flatMap { table.bytes($0.exportLine) }
      let isLast = page.readUntil.map(wanted.isOver) ?? true
      if !head.isEmpty || !lines.isEmpty || isLast {
        try await send(head + lines) {
          try await responses.send(ExportTrailResponse(contentType: table.contentType, content: $0))
        }
      }
      if isLast { return }
      (head, position) = ([], page.next)
    }
  }
}

extension ExportRecordsRequest {
  fileprivate var query: RecordQuery { RecordQuery(self) }

  fileprivate func hasBetweenTimes(_ time: Timestamp?) -> Bool {
    (decidedFrom.map { $0.clamped <= time.orEpoch } ?? true) && (decidedUntil.map { time.orEpoch < $0.clamped } ?? true)
  }
}

/// By what entries of a trail are chosen, for lists and for files.
protocol TrailCriteria {
  var subjectID: String { get }
  var actor: String { get }
  var item: String { get }
  var kinds: [TrailKind] { get }
  var from: Timestamp? { get }
  var until: Timestamp? { get }
}

extension ListTrailRequest: TrailCriteria {}
extension ExportTrailRequest: TrailCriteria {}

/// Which entries of a trail are asked for.
struct TrailFilter {
  private let subjectID: String
  private let actor: String
  private let item: String
  private let kinds: Set<TrailKind>
  private let from: Instant?
  private let until: Instant?

  init(_ criteria: some TrailCriteria) {
    (subjectID, actor, item, kinds) = (criteria.subjectID, criteria.actor, criteria.item, Set(criteria.kinds))
    (from, until) = (criteria.from?.clamped, criteria.until?.clamped)
  }

  /// Whether nothing more is asked for of a trail that was read up to a time.
  func isOver(at time: Instant) -> Bool { until.map { $0 <= time } ?? false }

  func admits(_ entry: TrailEntry) -> Bool {
    guard subjectID.isEmpty || entry.subjectID == subjectID, actor.isEmpty || entry.actor == actor,
      kinds.isEmpty || kinds.contains(entry.kind),
      item.isEmpty || entry.item == item || entry.item.hasPrefix(item + "/")
    else { return false }
    let time = entry.at.orEpoch
    return (from.map { $0 <= time } ?? true) && (until.map { time < $0 } ?? true)
  }
}
