import Base
import ConsentContract
import TestSupport
import Testing
import Wire

/// What every view says of people's decisions, in one study.
///
/// An export is read again as long as its record is the same, and made anew once it has changed, or by `forget`.
struct DecisionViews {
  /// What is right: the record by which a purpose is permitted to somebody, nil if it is not.
  struct Answer {
    let subject: String
    let purpose: String
    let record: String?
  }

  /// What the exports of a record say.
  private struct Exports {
    let record: ConsentRecord
    let r5: FHIRReader
    let r4b: FHIRReader
    let receipt: PlainJSON
  }

  private static let formats = [RecordFormat.unspecified, .fhirR5, .fhirR4b, .receipt]

  let place: DecisionWorld
  private var exports: [String: Exports] = [:]

  init(of place: DecisionWorld) { self.place = place }

  mutating func forget() { exports = [:] }

  // MARK: People

  /// Expects that checks say what is right, one by one and together, and that statements state it, and histories,
  /// receipts and FHIR, too.
  ///
  /// - Parameters:
  ///   - closely: of whom every view is looked at, and not only the checks together.
  ///   - reader: the account by which somebody reads by now.
  mutating func expect(
    _ answers: [Answer], closely: Set<String>, _ story: String, readBy reader: (String) -> String = { $0 }
  ) async throws {
    let world = place.world
    let batch = try await world.app.records.batchCheckConsents(
      BatchCheckConsentsRequest(
        studyID: World.study,
        questions: answers.map { ConsentQuestion(subjectID: $0.subject, purpose: $0.purpose) }))
    #expect(batch.answers.count == answers.count, "\(story)")
    for (right, told) in zip(answers, batch.answers) {
      let (subject, purpose) = (right.subject, right.purpose)
      #expect(told.permitted == (right.record != nil), "check of \(purpose) of \(subject): \(told.reason); \(story)")
      if let record = right.record { #expect(told.recordID == record, "check of \(purpose) of \(subject); \(story)") }
      guard closely.contains(subject) else { continue }
      #expect(try await world.check(subject, purpose) == told, "\(story)")
      let statement = try await world.app.records.issueStatement(
        IssueStatementRequest(studyID: World.study, subjectID: subject, purpose: purpose))
      #expect(statement.answer == told, "\(story)")
    }
    for subject in closely.sorted() {
      try await expectRecords(of: subject, answers.filter { $0.subject == subject }, story, readBy: reader(subject))
    }
  }

  /// Each export says it by itself, and of one person no more than one permits.
  private mutating func expectRecords(
    of subject: String, _ answers: [Answer], _ story: String, readBy reader: String
  ) async throws {
    let all = try await place.records(subject, to: reader)
    // A reader's clock is not the machine's, which may have been set back.
    let times = all.flatMap(\.history).compactMap { $0.at?.clamped } + [place.world.clock.clock.now]
    let readAt = times.max() ?? Example.now
    var permitting: [String: [RecordFormat: [String]]] = [:]
    for known in all {
      let made = try await exports(of: known)
      for purpose in answers.map(\.purpose) {
        let says: [RecordFormat: Bool] = [
          .unspecified: Self.history(known, permits: purpose),
          .fhirR5: made.r5.read(at: readAt).permits(purpose), .fhirR4b: made.r4b.read(at: readAt).permits(purpose),
          .receipt: Self.receipt(made.receipt, permits: purpose),
        ]
        for format in Self.formats where says[format] == true {
          permitting[purpose, default: [:]][format, default: []].append(known.recordID)
        }
      }
    }
    for answer in answers {
      for format in Self.formats {
        #expect(
          permitting[answer.purpose]?[format] ?? [] == (answer.record.map { [$0] } ?? []),
          "\(format) of \(answer.purpose) of \(subject); \(story)")
      }
    }
  }

  private mutating func exports(of record: ConsentRecord) async throws -> Exports {
    if let known = exports[record.recordID], known.record == record { return known }
    func export(_ format: RecordFormat) async throws -> [UInt8] {
      try await place.world.coordinator.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: format)
      ).content
    }
    let made = Exports(
      record: record, r5: try FHIRReader(try await export(.fhirR5), isR5: true, at: Example.now),
      r4b: try FHIRReader(try await export(.fhirR4b), isR5: false, at: Example.now),
      receipt: try PlainJSON(try await export(.receipt)))
    exports[record.recordID] = made
    return made
  }

  /// Whether a record in somebody's history says that a purpose is permitted by it.
  private static func history(_ record: ConsentRecord, permits purpose: String) -> Bool {
    record.state == .inForce && record.purposes.contains(purpose)
      && !(record.withdrawnPurposes + record.supersededPurposes).contains(purpose)
  }

  /// Whether a receipt says that a purpose is permitted and has no end yet.
  private static func receipt(_ receipt: PlainJSON, permits purpose: String) -> Bool {
    let purposes = receipt["pii_processing"]["purposes"].items
    guard let about = purposes.first(where: { $0["purpose_id"].text == purpose }) else { return false }
    return about["permitted"].items.last.map { $0["until"].isNone } ?? false
  }

  // MARK: The study

  /// Expects that these consents, and no others, are listed as due.
  func expectDue(_ records: Set<String>, _ story: String) async throws {
    var due: [String] = []
    var token = ""
    repeat {
      let page = try await place.world.coordinator.records.listDueConsents(
        ListDueConsentsRequest(studyID: World.study, pageSize: 1000, pageToken: token))
      due += page.dueConsents.map(\.recordID)
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(due.count == records.count && Set(due) == records, "due; \(story)")
  }

  /// Expects that the counts of a version of the document are those of its records.
  ///
  /// - Parameter erased: whose data were erased.
  func expectCounts(ofVersion version: Int32, erased: Set<String>, _ story: String) async throws {
    let coordinator = place.world.coordinator
    let counts = try #require(
      try await coordinator.records.getVersionCounts(
        GetVersionCountsRequest(documentID: Example.documentID, version: version)
      ).counts)
    let listed = try await coordinator.records.listRecords(
      ListRecordsRequest(
        studyID: World.study, documentID: Example.documentID, documentVersion: version, pageSize: 1000))
    #expect(listed.nextPageToken.isEmpty)
    let records = listed.records
    func count(_ states: RecordState...) -> Int { records.count { states.contains($0.state) } }
    #expect(Int(counts.declined) == count(.declined) && Int(counts.withdrawn) == count(.withdrawn), "\(story)")
    let people = records.filter { $0.state == .inForce && !erased.contains($0.subjectID) }.map(\.subjectID)
    #expect(Int(counts.inForce) == people.count && Set(people).count == people.count, "in force; \(story)")
    #expect(
      Int(counts.completed) == records.count - count(.declined, .needsAttention, .rejected, .voided),
      "completed; \(story)")
  }
}

extension DecisionWorld {
  /// Expects that every view of a person says the same about a purpose as is right.
  ///
  /// - Parameter record: the record by which it is permitted; nil if it is not.
  func expect(
    _ purpose: String, of subject: String, permittedBy record: String?, _ story: String
  ) async throws {
    var views = DecisionViews(of: self)
    let answer = DecisionViews.Answer(subject: subject, purpose: purpose, record: record)
    try await views.expect([answer], closely: [subject], story)
  }
}
