import Base
internal import Bus
import CommonContract
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What inspectors see of who had to do with whose data.
@Suite("A study's trail", .timeLimit(.minutes(2))) struct TrailTests {
  @Test("one list has reads, changes and denied attempts of both services, in the order of time")
  func joined() async throws {
    let world = try await SignedWorld(.sqlite)
    let consent = world.consent
    try await consent.open()
    let view = try await consent.walk(site: "north") { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    let record = try await consent.record(
      of: try await consent.goOn(try await consent.act(view, world.signing(field))))
    let inspector = consent.client("ian", ["inspector@heart"]).records
    _ = try await inspector.getRecord(GetRecordRequest(recordID: record.recordID))
    _ = try await inspector.listRecords(ListRecordsRequest(studyID: World.study))
    _ = try await inspector.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    let signatures = SignatureServiceClient(
      consent.bus.channel(
        for: CallerIdentity(kind: .person, tenant: "t1", subject: "ian", grants: ["inspector@heart"])))
    _ = try await signatures.getStrokes(
      GetStrokesRequest(signature: .signatureID(field.saved?.signatureID ?? "")))
    let stranger = consent.client("mallory", ["inspector@lung"]).records
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await stranger.getRecord(GetRecordRequest(recordID: record.recordID))
    }

    let trail = try await all(inspector, ListTrailRequest(studyID: World.study, pageSize: 7))
    #expect(Set(trail.map(\.service)) == ["consent", "signature"])
    // The two clocks of this test differ, and each service's part keeps its order.
    for service in ["consent", "signature"] {
      let numbers = trail.filter { $0.service == service }.map(\.sequence)
      #expect(numbers == Array(Set(numbers)).sorted(), "each event once")
    }
    let reads = trail.filter { $0.kind == .read && $0.actor == "ian" }
    #expect(reads.allSatisfy { $0.capacity == "inspector" && $0.callerKind == "person" && $0.studyID == World.study })
    let purposes = Set(reads.map(\.purpose))
    // Reading the trail is on record as well: here by its second page.
    #expect(
      purposes == ["record", "list of records", "export of a subject", "signature strokes", "trail of a study"])
    #expect(trail.contains { $0.kind == .changed && $0.service == "signature" && $0.purpose == "field.completed" })
    #expect(trail.contains { $0.kind == .changed && $0.purpose == "record_entry signed" })
    let denied = try await all(inspector, ListTrailRequest(studyID: World.study, kinds: [.denied]))
    #expect(denied.map(\.actor) == ["mallory"] && denied.first?.subjectID == "s1")
    #expect(denied.first?.method == "assent.consent.v1.RecordService/GetRecord")
    let others = try await all(inspector, ListTrailRequest(studyID: World.study, subjectID: "s2"))
    #expect(others.isEmpty)
    await world.end()
  }

  @Test("a subject who only began a session is exported on record, too")
  func sessionOnly() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk { $0.kind == .sharing }
    _ = try await world.coordinator.records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    let reads = try await world.events().filter { $0.kind == .personalDataRead && $0.actor == "carl" }
    #expect(reads.count == 1 && reads.first?.subjectID == "s1" && reads.first?.sessionID != "")
    #expect(reads.first?.purpose == "export of a subject" && reads.first?.capacity == "coordinator")
    await world.end()
  }

  private func all(_ records: RecordServiceClient, _ request: ListTrailRequest) async throws -> [TrailEntry] {
    var (request, entries): (ListTrailRequest, [TrailEntry]) = (request, [])
    while true {
      let answer = try await records.listTrail(request)
      entries += answer.entries
      if answer.nextPageToken == request.pageToken { return entries }
      request.pageToken = answer.nextPageToken
    }
  }

  private static func moment(_ milliseconds: Int64) -> Timestamp {
    Timestamp(Instant(millisecondsSince1970: milliseconds))
  }

  @Test(
    "a part whose numbers do not go on from where it was asked for is none",
    arguments: [
      ([3, 4, 9], 9, true), ([], 2, true), ([3], 12, true), ([2], 2, false), ([.min], 9, false), ([0], 9, false),
      ([4, 4], 9, false), ([5, 4], 9, false), ([3, 4], 3, false), ([], 1, false),
    ] as [([Int64], Int64, Bool)])
  func numbers(numbers: [Int64], last: Int64, isRight: Bool) throws {
    let steps = try numbers.map { number in
      TrailPart.Step(TrailEntry(at: Self.moment(1), sequence: number), end: try position(max(number, 0)))
    }
    let part = TrailPart(start: try position(2), steps: steps, end: try position(last), readUntil: nil)
    #expect(part.goesOn == isRight)
  }

  @Test("a part whose entries state the positions of other events is none")
  func otherPositions() throws {
    let step = TrailPart.Step(TrailEntry(at: Self.moment(1), sequence: 3), end: try position(4))
    let part = TrailPart(start: try position(2), steps: [step], end: try position(4), readUntil: nil)
    #expect(!part.goesOn)
  }

  private func position(_ sequence: Int64) throws -> EventPosition { try EventPosition(token: String(sequence)) }

  @Test("two parts are joined page by page into one order, whole and without repeats")
  func merge() throws {
    func part(_ times: [Int64], after start: EventPosition, limit: Int) throws -> TrailPart {
      let steps = try times.enumerated().map { offset, time in
        let number = Int64(offset + 1)
        return TrailPart.Step(TrailEntry(at: Self.moment(time), sequence: number), end: try position(number))
      }
      let read = steps.filter { $0.entry.sequence > start.sequence }.prefix(limit)
      return TrailPart(
        start: start, steps: Array(read), end: read.last?.end ?? start,
        readUntil: read.count < limit ? nil : read.last?.entry.at?.instant)
    }
    let (left, right): ([Int64], [Int64]) = ([1, 2, 2, 9, 30, 31], [2, 3, 4, 5, 6, 30, 40, 41])
    for limit in 1...9 {
      var place = try TrailPosition(token: "")
      var times: [Int64] = []
      for _ in 0..<40 {
        let page = TrailMerge.page(
          try part(left, after: place.consent, limit: limit), try part(right, after: place.signature, limit: limit))
        times += page.entries.compactMap { $0.at?.instant?.millisecondsSince1970 }
        place = page.next
      }
      #expect(times == (left + right).sorted(), "by \(limit)")
    }
  }

  // MARK: Whose log a token is in

  @Test("each page's token continues the logs that gave it, and is refused by another log of either service")
  func tokens() async throws {
    let world = try await SignedWorld(.sqlite)
    let consent = world.consent
    try await consent.open()
    let view = try await consent.walk(site: "north") { $0.kind == .signature }
    _ = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    let inspector = consent.client("ian", ["inspector@heart"]).records
    func page(_ token: String) async throws -> ListTrailResponse {
      try await inspector.listTrail(ListTrailRequest(studyID: World.study, pageSize: 2, pageToken: token))
    }
    var token = ""
    while true {
      let next = try await page(token).nextPageToken
      if next == token { break }
      token = next
      let halves = token.split(separator: "-").map(String.init)
      try #require(halves.count == 2, "\(token)")
      // Only the beginning of a log is told by its number alone.
      #expect(halves.allSatisfy { $0 == "0" || $0.contains(".") }, "\(token)")
      for (place, half) in halves.enumerated() where half != "0" {
        var others = halves
        others[place] = String(half.split(separator: ".")[0]) + ".0011223344556677"
        let other = others.joined(separator: "-")
        await expectRefusal(.failedPrecondition, "position_unknown") { try await page(other) }
      }
    }
    #expect(!token.hasPrefix("0-") && !token.hasSuffix("-0"), "\(token)")
    for token in ["1", "1-", "-1", "1-1-1", "1-x", "0011223344556677"] {
      await expectRefusal(.invalidArgument, "bad_page_token") { try await page(token) }
    }
    await world.end()
  }

  @Test("after a restore the token from before is refused, although other events have its numbers by now")
  func restored() async throws {
    let world = try await World()
    func makeSites(_ names: [String], _ admin: ConsentClients) async throws {
      for name in names {
        let site = StudySite(studyID: World.study, siteID: name, name: name)
        _ = try await admin.studies.createSite(CreateSiteRequest(site: site))
      }
    }
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart")))
    let archive = world.test.folder.file("backup.assent")
    _ = try await world.test.database.backup(to: archive)
    try await makeSites(["a", "b"], world.admin)
    var request = ListTrailRequest(studyID: World.study)
    request.pageToken = try await world.admin.records.listTrail(request).nextPageToken
    let again = request
    _ = try await world.admin.records.listTrail(again)
    let restored = try await RestoredWorld(of: world, from: archive)
    try await makeSites(["c", "d", "e", "f", "g"], restored.admin)
    await expectRefusal(.failedPrecondition, "position_unknown") {
      try await restored.admin.records.listTrail(again)
    }
    await restored.end()
    await world.end()
  }
}
