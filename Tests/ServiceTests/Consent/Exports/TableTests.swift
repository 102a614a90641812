import Base
import Bus
import CommonContract
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Records, decisions, copies and trails as files.
@Suite("Tables") struct TableTests {
  @Test(
    "a text that a spreadsheet would calculate is a text, and what separates cells is quoted",
    arguments: [
      ("plain", "plain"), ("", ""), ("=1+1", "'=1+1"), ("+41", "'+41"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\t=1", "\"'\t=1\""), ("\r\n=1", "\"'\r\n=1\""), ("a,b", "\"a,b\""), ("a;=1", "\"a;=1\""),
      ("say \"yes\"", "\"say \"\"yes\"\"\""), ("＝1", "'＝1"), ("ä\nb", "\"ä\nb\""),
    ])
  func cells(text: String, cell: String) {
    let line = ExportTable.csv.bytes([("a", .string(text)), ("b", nil), ("c", .number(-1))])
    #expect(String(decoding: line, as: UTF8.self) == "\(cell),,-1\r\n")
  }

  @Test("NDJSON has an object in each line, whatever is in it")
  func lines() throws {
    let line = ExportTable.ndjson.bytes([("a", .array([.string("x\n\"y\""), .bool(true)])), ("b", nil)])
    #expect(String(decoding: line, as: UTF8.self) == #"{"a":["x\n\"y\"",true]}"# + "\n")
    #expect(ExportTable.ndjson.head(["a"]).isEmpty && ExportTable.csv.head(["a", "b"]) == Array("a,b\r\n".utf8))
  }

  /// Three people: one at the north whose consent is in force, one at the south who declined, one who withdrew.
  private func open(_ engine: TestEngine = .sqlite) async throws -> World {
    let world = try await World(engine)
    try await world.open()
    try await world.walk(subject: "s1", site: "north")
    world.clock.move(by: .seconds(60))
    let view = try await world.walk(subject: "s2", site: "south") { $0.kind == .review }
    _ = try await world.act(view, FlowAction(kind: .disagree))
    world.clock.move(by: .seconds(60))
    let record = try await world.record(of: try await world.walk(subject: "s3", site: "south"))
    world.clock.move(by: .seconds(60))
    _ = try await world.coordinator.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID, reason: "by telephone"))
    return world
  }

  /// A file, and its media type.
  ///
  /// - Parameter most: how long a message may be.
  private func file(
    _ clients: ConsentClients, _ format: RecordsFormat, atMost most: Int = 256 << 10,
    _ change: (inout ExportRecordsRequest) -> Void = { _ in }
  ) async throws -> (bytes: [UInt8], type: String) {
    var request = ExportRecordsRequest(studyID: World.study)
    request.format = format
    change(&request)
    var (bytes, type): ([UInt8], String) = ([], "")
    for try await part in try clients.records.exportRecords(request, deadline: .seconds(20)) {
      #expect(part.content.count <= most)
      bytes += part.content
      type = part.contentType
    }
    return (bytes, type)
  }

  private func file(_ records: RecordServiceClient, _ request: ExportTrailRequest) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await part in try records.exportTrail(request, deadline: .seconds(20)) { bytes += part.content }
    return bytes
  }

  /// Calls the same services where they write files in parts of one row, and of two.
  private func inParts(
    _ world: World, of bytes: Int, _ grant: String, _ look: (ConsentClients) async throws -> Void
  ) async throws {
    for rows: Int32 in [1, 2] {
      let bus = InProcessBus()
      let services = try World.services(
        world.test.database, BusSignatures(world.bus.channel()), world.clock,
        fileParts: FileParts(rows: rows, bytes: bytes))
      bus.serve(services.handlers)
      let caller = CallerIdentity(kind: .person, tenant: "t1", subject: "pat", grants: [grant])
      try await look(ConsentClients(bus.channel(for: caller)))
      bus.stop()
    }
  }

  @Test("tables of records and decisions are the same in whatever parts they are written")
  func parts() async throws {
    let world = try await open()
    for format in [RecordsFormat.recordsCSV, .recordsNdjson, .decisionsCSV, .decisionsNdjson] {
      for actor in ["", "carl", "nobody"] {
        let whole = try await file(world.coordinator, format) { $0.actor = actor }
        try await inParts(world, of: 100, "coordinator@heart") { clients in
          let joined = try await file(clients, format, atMost: 100) { $0.actor = actor }
          #expect(joined.bytes == whole.bytes && joined.type == whole.type, "\(format) \(actor)")
        }
      }
    }
    await world.end()
  }

  /// The lines of an export as objects.
  private func lines(
    _ clients: ConsentClients, _ format: RecordsFormat, _ change: (inout ExportRecordsRequest) -> Void = { _ in }
  ) async throws -> [PlainJSON] {
    try await file(clients, format, change).bytes.split(separator: UInt8(ascii: "\n")).map { try PlainJSON(Array($0)) }
  }

  @Test(
    "records are exported line by line, filtered as they are listed, by kind and by actor",
    arguments: TestEngine.allCases)
  func records(engine: TestEngine) async throws {
    let world = try await open(engine)
    let (bytes, type) = try await file(world.coordinator, .recordsCSV)
    #expect(type.hasPrefix("text/csv"))
    let text = String(decoding: bytes, as: UTF8.self)
    let rows = text.components("\r\n")
    #expect(rows.count == 5 && rows[4].isEmpty && rows[0].hasPrefix("record_id,study_id,site_id,subject_id,kind,state"))
    #expect(rows[1].contains(",heart,north,s1,document,in_force,") && rows[3].contains(",withdrawn,"))
    #expect(!text.contains("by telephone"), "what is in the vault stays there")

    func subjects(_ change: (inout ExportRecordsRequest) -> Void) async throws -> [String] {
      try await lines(world.coordinator, .recordsNdjson, change).map { $0["subject_id"].text }
    }
    #expect(try await subjects { _ in } == ["s1", "s2", "s3"])
    #expect(try await subjects { $0.siteID = "south" } == ["s2", "s3"])
    #expect(try await subjects { $0.state = .declined } == ["s2"])
    #expect(try await subjects { $0.subjectID = "s3" } == ["s3"])
    #expect(try await subjects { $0.kind = .paper } == [])
    #expect(try await subjects { $0.kind = .document } == ["s1", "s2", "s3"])
    #expect(try await subjects { $0.actor = "carl" } == ["s3"], "who withdrew it acted in its history")
    #expect(try await subjects { $0.decidedFrom = Timestamp(Example.now + .seconds(30)) } == ["s2", "s3"])
    #expect(try await subjects { $0.decidedUntil = Timestamp(Example.now + .seconds(30)) } == ["s1"])
    #expect(
      try await subjects { ($0.documentID, $0.documentVersion) = (Example.documentID, 2) } == [])
    let reads = try await world.events().filter { $0.purpose == "export of records" }
    #expect(reads.first?.actor == "carl" && reads.first?.count == 3)
    await world.end()
  }

  @Test("decisions are exported with who made them and when, each with its record as evidence")
  func decisions() async throws {
    let world = try await open()
    func decided(_ change: (inout ExportRecordsRequest) -> Void) async throws -> [String] {
      try await lines(world.coordinator, .decisionsNdjson, change)
        .filter { $0["purpose"].text == "research" }.map { "\($0["subject_id"].text) \($0["decision"].text)" }
    }
    #expect(try await decided { _ in } == ["s1 yes", "s2 no", "s3 yes", "s3 no"])
    #expect(try await decided { $0.actor = "carl" } == ["s3 no"])
    #expect(try await decided { $0.decidedFrom = Timestamp(Example.now + .seconds(150)) } == ["s3 no"])
    #expect(try await decided { $0.siteID = "north" } == ["s1 yes"])
    let (bytes, _) = try await file(world.coordinator, .decisionsCSV)
    let head = String(decoding: bytes, as: UTF8.self).components("\r\n")[0]
    #expect(
      head.hasPrefix("subject_id,number,study_id,site_id,purpose,decision,decided_at,clock_behind,actor,record_id"))
    await world.end()
  }

  @Test("an export without a format is refused, and so is one by somebody of another site")
  func refused() async throws {
    let world = try await open()
    await expectRefusal(.invalidArgument, "unknown_format") { try await self.file(world.coordinator, .unspecified) }
    let north = world.client("nora", ["coordinator@heart/north"])
    await expectRefusal(.permissionDenied, "not_admitted") { try await self.file(north, .recordsCSV) }
    #expect(try await lines(north, .recordsNdjson) { $0.siteID = "north" }.map { $0["subject_id"].text } == ["s1"])
    await world.end()
  }

  @Test("sealed copies are in an archive that others read, and each is on record as read")
  func copies() async throws {
    let world = try await CopyWorld()
    try await world.open()
    var ids: [String] = []
    world.startSealing()
    for subject in ["s1", "s2"] {
      let record = try await world.evidence.give(subject).record
      _ = try await world.evidence.counterSign(record)
      try await world.run(record.recordID) { $0.state == .sealed }
      ids.append(record.recordID)
    }
    let (bytes, type) = try await file(world.consent.coordinator, .signedCopiesZip)
    #expect(type == "application/zip")
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("copies.zip"))
    let code =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; "
      + "z.extractall(sys.argv[2]); print(*z.namelist())"
    let listed = try await ChildProcess.output(
      of: ChildCommand("python3", ["-c", code, folder.file("copies.zip"), folder.file("out")]))
    #expect(listed.lines.first == ids.map { "\($0).pdf" }.joined(separator: " "))
    for id in ids {
      #expect(try Files.read(folder.file("out/\(id).pdf")) == (try await world.get(id).content))
    }
    try await inParts(world.consent, of: 10_000, "coordinator@heart") { clients in
      let joined = try await file(clients, .signedCopiesZip, atMost: 10_000)
      #expect(joined.bytes == bytes)
    }
    let one = try await file(world.consent.coordinator, .signedCopiesZip) { $0.subjectID = "s2" }
    #expect(one.bytes.count < bytes.count && !one.bytes.isEmpty)
    let reads = try await world.consent.events().filter { $0.purpose == "signed copy" && $0.actor == "carl" }
    #expect(Set(reads.map(\.recordID)) == Set(ids))
    await world.end()
  }

  @Test("an archive of nothing is one, too")
  func nothing() async throws {
    let world = try await open()
    let (bytes, _) = try await file(world.coordinator, .signedCopiesZip)
    #expect(bytes.count == 22 && bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]))
    await world.end()
  }

  @Test("a trail is listed and exported by actor, kind, type of thing and dates")
  func trail() async throws {
    let world = try await SignedWorld(.sqlite)
    let consent = world.consent
    try await consent.open()
    let view = try await consent.walk(site: "north") { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    let record = try await consent.record(
      of: try await consent.goOn(try await consent.act(view, world.signing(field))))
    consent.clock.move(by: .seconds(3600))
    let inspector = consent.client("ian", ["inspector@heart"]).records
    _ = try await inspector.getRecord(GetRecordRequest(recordID: record.recordID))

    func listed(_ change: (inout ListTrailRequest) -> Void) async throws -> [TrailEntry] {
      var request = ListTrailRequest(studyID: World.study, pageSize: 1000)
      change(&request)
      let answer: ListTrailResponse = try await inspector.listTrail(request)
      return answer.entries
    }
    let own = try await listed { ($0.actor, $0.kinds, $0.item) = ("ian", [.read], "record") }
    #expect(own.map(\.item) == ["record/\(record.recordID)"])
    #expect(try await listed { $0.item = "record/none" }.isEmpty)
    #expect(try await listed { $0.item = "record" }.allSatisfy { $0.item.hasPrefix("record/") })
    let late = Timestamp(Example.now + .seconds(1800))
    let (before, after) = (try await listed { $0.until = late }, try await listed { $0.from = late })
    #expect(before.contains { $0.actor == "app" } && !before.contains { $0.actor == "ian" })
    #expect(after.contains { $0.actor == "ian" })
    var early = ListTrailRequest(studyID: World.study, pageSize: 1)
    early.until = Timestamp(Example.now)
    #expect(try await inspector.listTrail(early) == ListTrailResponse(), "nothing more comes before that time")

    var request = ExportTrailRequest(studyID: World.study, actor: "ian", item: "record")
    request.format = .csv
    let rows = String(decoding: try await file(inspector, request), as: UTF8.self).components("\r\n")
    #expect(rows.count == 3 && rows[0].hasPrefix("at,service,sequence,kind,actor,"))
    #expect(rows[1].contains(",consent,") && rows[1].contains(",read,ian,person,inspector,"))

    // Reading it is on record as well, but is no change.
    (request.actor, request.item, request.kinds) = ("", "", [.changed])
    for until in [nil, late] {
      request.until = until
      let (part, whole) = (request, try await file(inspector, request))
      try await inParts(consent, of: 100, "inspector@heart") { clients in
        let joined = try await file(clients.records, part)
        #expect(joined == whole)
      }
    }
    await world.end()
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
