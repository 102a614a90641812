import Base
import BenchKit
import Bus
import ConsentContract
import ConsentLoad
import RPC
import Wire

/// What a million records cost those who start the service, who read, and who register more: they stand in the log, and
/// each that is shown is verified.
enum RecordCases {
  static let rows: [String] =
    ["start", "history", "count", "growth"]
    + lists.flatMap { list in
      ["page_\(list.name)_first"] + (list.name == "rare" ? [] : ["page_\(list.name)_deep"])
    }

  /// Lists of records, and how many of them each page has at least and at most.
  private static let lists: [(name: String, state: RecordState, site: String, records: ClosedRange<Int>)] = [
    ("all", .unspecified, "", 100...100), ("in_force", .inForce, "", 100...100), ("rare", .withdrawn, "", 1...100),
    ("no_such_site", .unspecified, "nowhere", 0...0),
  ]

  /// So that ten pages of a list of nothing, each of which reads a thousand rows, are before its middle.
  private static let fewest = 20_000

  static func measure(_ bench: inout Bench, folder: String) async throws {
    let wanted = bench.options.number("records", default: 1_000_000)
    guard wanted >= fewest else { throw CheckFailure("--records is \(wanted), and has to be at least \(fewest)") }
    let count = try await ManyRecords.fill(folder, to: wanted, bench)
    if bench.selects("start") { try await start(&bench, folder, count) }

    try await ConsentSystem.start(.folder(folder)).lend { try await reading(&bench, $0, of: count) }
  }

  private static func reading(_ bench: inout Bench, _ system: ConsentSystem, of count: Int) async throws {
    guard try await ManyRecords.number(on: system) >= count else { throw CheckFailure("records are missing") }
    if bench.selects("history") { try await history(&bench, system) }
    let admin = system.admin
    await bench.measure("count", "counts of a version", unit: .milliseconds) {
      try await milliseconds {
        let request = GetVersionCountsRequest(documentID: WalkedFlow.documentID, version: 1)
        let counts = try await admin.records.getVersionCounts(request).counts ?? VersionCounts()
        guard counts.completed >= count, counts.withdrawn >= ManyRecords.withdrawn(of: count) else {
          throw CheckFailure("\(counts.completed) records are counted, \(counts.withdrawn) of them withdrawn")
        }
      }
    }
    for list in lists { try await pages(&bench, admin, list, of: count) }
    if bench.selects("growth/empty") { await growth(&bench, system) }
  }

  /// What it costs to register records where there are many, and in an installation without any.
  private static func growth(_ bench: inout Bench, _ system: ConsentSystem) async {
    await bench.compare(
      "growth", "\(ManyRecords.batch) records registered beside all others", unit: .milliseconds,
      ours: { try await ManyRecords.registerBatch(on: system) },
      peers: [
        "empty": {
          let folder = Repository.path(".build/bench/consent/empty-\(Randomness.system.word())")
          try Files.makeFolder(folder)
          return try await ConsentSystem.start(.folder(folder)).lend { system in
            _ = try await WalkedFlow.open(on: system)
            return try await ManyRecords.registerBatch(on: system)
          }
        }
      ])
  }

  private static func start(_ bench: inout Bench, _ folder: String, _ count: Int) async throws {
    let bus = try TemporaryFolder(named: "assent-consent-bench")
    let gateway = try await Program.start("gateway", ["--bus-folder", bus.file("bus")])
    await bench.measure("start", "ConsentService ready, with \(count) records", unit: .milliseconds) {
      let start = Clock.system.monotonic
      let service = try await ConsentSystem.startService(.folder(folder), bus: bus.file("bus"))
      let time = Clock.system.monotonic - start
      await service.stop()
      return Double(time.wholeNanoseconds) / 1e6
    }
    await gateway.stop()
  }

  private static func history(_ bench: inout Bench, _ system: ConsentSystem) async throws {
    let flow = try await WalkedFlow.open(on: system)
    let subject = "long-standing-\(Randomness.system.word())"
    for _ in 0..<5 { try await flow.walk(subject: subject) }
    let app = system.app
    await bench.measure("history", "a subject's history of five records", unit: .milliseconds) {
      try await milliseconds {
        let request = GetSubjectHistoryRequest(subjectID: subject)
        guard try await app.records.getSubjectHistory(request).records.count == 5 else {
          throw CheckFailure("the history is not whole")
        }
      }
    }
  }

  /// Pages of a hundred at the beginning of a list and half of all records further on. Few records are withdrawn, so
  /// that this list has no such place.
  private static func pages(
    _ bench: inout Bench, _ admin: ConsentClients,
    _ list: (name: String, state: RecordState, site: String, records: ClosedRange<Int>), of count: Int
  ) async throws {
    var reader = RecordList(client: admin, state: list.state, site: list.site)
    // Ten pages of the list of nothing have passed a thousand rows each.
    let passed = list.records.upperBound == 0 ? 10_000 : 1000
    for (part, skipped) in [("first", 0), ("deep", (count / 2 - passed) / 1000)] {
      let id = "page_\(list.name)_\(part)"
      guard bench.selects(id), rows.contains(id) else { continue }
      for page in 0..<skipped {
        bench.begin("\(id): \(1000 * page) of \(1000 * skipped) records passed")
        _ = try await reader.next(1000)
      }
      bench.begin(id)
      var times: [Double] = []
      while times.count < 10, !reader.isAtEnd {
        let start = Clock.system.monotonic
        let found = try await reader.next(100)
        times.append(Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6)
        guard list.records.contains(found) || reader.isAtEnd && found <= list.records.upperBound else {
          throw CheckFailure("\(id): a page of \(found) records")
        }
      }
      guard !times.isEmpty else {
        bench.fail(id, "the list ends before")
        continue
      }
      bench.report(
        id, "a page of 100, \(part) \(times.count) pages, median", unit: .milliseconds, value: median(times))
    }
  }

  /// A list that is read page by page.
  private struct RecordList {
    let client: ConsentClients
    let state: RecordState
    let site: String
    private var token = ""
    private(set) var isAtEnd = false

    init(client: ConsentClients, state: RecordState, site: String) {
      self.client = client
      self.state = state
      self.site = site
    }

    /// Reads the next page; returns how many records it has.
    mutating func next(_ size: Int32) async throws -> Int {
      guard !isAtEnd else { return 0 }
      let request = ListRecordsRequest(
        studyID: WalkedFlow.study, siteID: site, state: state, pageSize: size, pageToken: token)
      let page = try await client.records.listRecords(request, deadline: .seconds(60))
      token = page.nextPageToken
      isAtEnd = token.isEmpty
      return page.records.count
    }
  }

  private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
    let start = Clock.system.monotonic
    try await body()
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }
}
