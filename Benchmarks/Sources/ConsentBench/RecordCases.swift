import Base
import BenchKit
import Wire

/// What a million records cost: each is a copy of a walked one, under names of its own.
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
        guard try await app.getSubjectHistory(request).records.count == 5 else {
          throw CheckFailure("the history is not whole")
        }
      }
    }
    try await bench.measure("count", "counts of a version", unit: .milliseconds) {
      try await milliseconds {
        _ = try await admin.countVersion(CountVersionRequest(documentID: WalkedFlow.documentID, version: 1))
      }
    }
    try await pages(&bench, admin)
    try await system.stop()
  }

  /// The whole list in pages of a hundred: the first ones beside those in the middle and at the end.
  private static func pages(_ bench: inout Bench, _ admin: ConsentServiceClient) async throws {
    for (name, state, site) in [
      ("all", RecordState.unspecified, ""), ("in_force", .inForce, ""), ("rare", .withdrawn, ""),
      ("no_such_site", .unspecified, "nowhere"),
    ] {
      var times: [Double] = []
      var token = ""
      var request = ListConsentRecordsRequest(studyID: WalkedFlow.study, siteID: site, state: state, pageSize: 100)
      repeat {
        request.pageToken = token
        let asked = request
        var next = ""
        times.append(
          try await milliseconds { next = try await admin.listConsentRecords(asked).nextPageToken })
        token = next
      } while !token.isEmpty
      let parts = [("first", times.prefix(10)), ("last", times.suffix(10))]
      for (part, some) in parts {
        bench.report(
          "page_\(name)_\(part)", "a page of 100, \(part) ten of \(times.count) pages, median", unit: .milliseconds,
          value: some.sorted()[some.count / 2])
      }
    }
  }

  private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
    let start = Clock.system.monotonic
    try await body()
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }
}
