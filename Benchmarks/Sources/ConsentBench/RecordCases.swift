import Base
import BenchKit
import Bus
import ConsentContract
import ConsentLoad
import RPC
import Wire

/// The cost of a million records, each a copy of one that a walk made, with its own identifiers.
enum RecordCases {
  static func million(_ bench: inout Bench, folder: String) async throws {
    let count = bench.options.number("records", default: 1_000_000)
    let fill = Peer.compiled(
      "consent/fill.c", flags: ["-DBENCH_FILE=\"\(folder)/consent.db\"", "-DBENCH_RECORDS=\(count)", "-lsqlite3"])
    _ = try await fill.measure("fill")

    let bus = try TemporaryFolder(named: "assent-consent-bench")
    let gateway = try await Program.start("gateway", ["--bus-folder", bus.file("bus")])
    try await bench.measure("start", "ConsentService ready, with \(count) records", unit: .milliseconds) {
      let start = Clock.system.monotonic
      let service = try await ConsentSystem.startService(.folder(folder), bus: bus.file("bus"))
      let time = Clock.system.monotonic - start
      await service.stop()
      return Double(time.wholeNanoseconds) / 1e6
    }
    await gateway.stop()

    let system = try await ConsentSystem.start(.folder(folder))
    let flow = try await WalkedFlow.open(on: system)
    for _ in 0..<5 { try await flow.walk(subject: "long-standing") }
    let (app, admin) = (system.app, system.admin)
    try await bench.measure("history", "a subject's history of five records", unit: .milliseconds) {
      try await milliseconds {
        let request = GetSubjectHistoryRequest(subjectID: "long-standing")
        guard try await app.records.getSubjectHistory(request).records.count == 5 else {
          throw CheckFailure("the history is not whole")
        }
      }
    }
    try await bench.measure("count", "counts of a version", unit: .milliseconds) {
      try await milliseconds {
        _ = try await admin.records.getVersionCounts(
          GetVersionCountsRequest(documentID: WalkedFlow.documentID, version: 1))
      }
    }
    try await pages(&bench, admin)
    try await system.stop()
  }

  /// Pages of a hundred at the beginning of a list and half a million records further on, or at its end.
  private static func pages(_ bench: inout Bench, _ admin: ConsentClients) async throws {
    for (name, state, site) in [
      ("all", RecordState.unspecified, ""), ("in_force", .inForce, ""), ("rare", .withdrawn, ""),
      ("no_such_site", .unspecified, "nowhere"),
    ] {
      var list = RecordList(client: admin, state: state, site: site)
      for (part, skipped) in [("first", 0), ("deep", 500)] {
        for _ in 0..<skipped { _ = try await list.next(1_000) }
        var times: [Double] = []
        while times.count < 10, !list.isAtEnd { times.append(try await milliseconds { try await list.next(100) }) }
        guard !times.isEmpty else { continue }
        bench.report(
          "page_\(name)_\(part)", "a page of 100, \(part) \(times.count) pages, median", unit: .milliseconds,
          value: times.sorted()[times.count / 2])
      }
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

    mutating func next(_ size: Int32) async throws {
      guard !isAtEnd else { return }
      let request = ListRecordsRequest(
        studyID: WalkedFlow.study, siteID: site, state: state, pageSize: size, pageToken: token)
      token = try await client.records.listRecords(request).nextPageToken
      isAtEnd = token.isEmpty
    }
  }

  private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
    let start = Clock.system.monotonic
    try await body()
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }
}
