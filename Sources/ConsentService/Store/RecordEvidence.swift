internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// The evidence that ConsentService has for a record: its events, its rows, the version of the document or, for a form,
/// of the flow, and the bytes shown.
struct RecordEvidence: Sendable {
  private(set) var selection = EvidenceSelection()
  /// The fields that were signed in: SignatureService has the evidence for them.
  let fieldIDs: [String]

  private static let page = 500

  init(of record: ConsentRecord, _ snapshot: Snapshot) throws {
    fieldIDs = record.signatures.map(\.fieldID).filter { !$0.isEmpty }
    selection.searched = [EventStream.subject(record.subjectID), EventStream.study(record.studyID)]
    let subject = try Subject.stored(record.subjectID)
    selection.subjects = [subject]
    selection.events = try Self.events(of: record, snapshot)
    selection.rows = [("records", [.text(record.recordID)])]
    selection.rows += record.history.map {
      ("record_entries", [.text(record.recordID), .integer(Int64($0.sequence))])
    }
    selection.rows.append(("storage_lists", [.text(RecordStore.historyList(record.recordID))]))
    if record.kind == .form {
      selection.rows.append(("flow_versions", [.text(record.flowID), .integer(Int64(record.flowVersion))]))
    } else {
      let key: [Value] = [.text(record.documentID), .integer(Int64(record.documentVersion))]
      selection.rows.append(("document_versions", key))
    }
    for (table, files) in try CopyStore.evidence(of: record.recordID, snapshot) {
      selection.rows.append((table, [.text(record.recordID)]))
      selection.commitments += files
    }
    selection.rows += fieldIDs.map { ("field_pins", [.text($0)]) }
    try addContent(of: record, snapshot)
  }

  /// The events of the record, and of the session that it was given in.
  private static func events(of record: ConsentRecord, _ snapshot: Snapshot) throws -> [Int64] {
    var (found, last) = ([Int64](), Int64(0))
    while true {
      let events = try snapshot.events(after: last, stream: EventStream.subject(record.subjectID), limit: page)
      for event in events {
        last = event.sequence
        guard let payload = try event.decode(.consent) else { continue }
        let isOfSession = !record.sessionID.isEmpty && payload.sessionID == record.sessionID
        if payload.recordID == record.recordID || isOfSession { found.append(event.sequence) }
      }
      if events.count < page { return found }
    }
  }

  private mutating func addContent(of record: ConsentRecord, _ snapshot: Snapshot) throws {
    do {
      if record.kind == .paper {
        if let scan = try RecordStore.scan(of: record, snapshot) { add("scan", scan) }
      } else if !record.shownHash.isEmpty {
        switch try RecordStore.shown(on: record, snapshot) {
        case .composed(let bytes): selection.contents = [("shown", bytes)]
        case .named(let text), .ownText(let text): add("shown", text)
        }
      }
    } catch let refusal as Refusal where refusal.rule == "subject_erased" {
      // The person's own content is gone with their key; the commitment to it stays.
    }
  }

  private mutating func add(_ name: String, _ content: CommittedBytes) {
    selection.contents = [(name, content.bytes)]
    selection.commitments.append(content.commitment)
  }
}
