import Base
import BenchKit
import ConsentContract
import ConsentLoad
import RPC
import Wire

/// Many records in a database of ConsentService: consents on paper, each of a person of its own, each registered by a
/// call. So every one has the events, the keys and the places in the log that a service verifies when it answers.
enum ManyRecords {
  private static let inFlight = 64
  static let batch = 10_000
  /// How many of a batch are withdrawn.
  private static let withdrawals = 2

  /// Of so many records, this many are withdrawn at least.
  static func withdrawn(of count: Int) -> Int { count / batch * withdrawals }

  /// Registers what a database lacks of `count` records, and stops its service.
  ///
  /// The records take long to make, and an error may have a passing cause, such as a full disk. So no error removes
  /// them: it names the folder, from which the next run goes on.
  ///
  /// - Returns: how many there are; an earlier run may have made more.
  static func fill(_ folder: String, to count: Int, _ bench: Bench) async throws -> Int {
    bench.begin("opening the records of earlier runs")
    do {
      try Files.makeFolder(folder)
      // Heads that are signed often keep what was not signed yet small, however fast records come.
      let environment = ["ASSENT_EVIDENCE_INTERVAL": "5s"]
      return try await ConsentSystem.start(.folder(folder), draws: false, environment: environment).lend { system in
        _ = try await WalkedFlow.open(on: system)
        return try await fill(system, in: folder, to: count, bench)
      }
    } catch {
      throw CheckFailure(
        "\(error); the records stay in \(folder), and the next run goes on with them: remove the folder only if this "
          + "version cannot open them")
    }
  }

  private static func fill(
    _ system: ConsentSystem, in folder: String, to count: Int, _ bench: Bench
  ) async throws -> Int {
    var known = try await number(on: system)
    if known < count { print("registering \(count - known) records in \(folder), where they stay") }
    while known < count {
      let size = min(batch, count - known)
      bench.begin("\(known) of \(count) records are registered; the next \(size)")
      try await register(known..<known + size, on: system)
      known += size
    }
    return known
  }

  /// How many records the document has, as the service counts them.
  static func number(on system: ConsentSystem) async throws -> Int {
    let request = GetVersionCountsRequest(documentID: WalkedFlow.documentID, version: 1)
    return Int(try await system.admin.records.getVersionCounts(request).counts?.completed ?? 0)
  }

  /// Registers one batch more.
  ///
  /// - Returns: how long it took, in milliseconds.
  static func registerBatch(on system: ConsentSystem) async throws -> Double {
    let known = try await number(on: system)
    let start = Clock.system.monotonic
    try await register(known..<known + batch, on: system)
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }

  private static func register(_ numbers: Range<Int>, on system: ConsentSystem) async throws {
    let next = Counter()
    // Answers that are kept for repeats are deleted after a week, and would be so while a later run measures.
    let plain = CallOptions(idempotencyKey: .none)
    let admin = system.admin
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask(executorPreference: Callers.thread) {
          while true {
            let place = next.next()
            guard place <= numbers.count else { return }
            let answer = try await admin.records.createPaperRecord(
              paper(numbers.lowerBound + place), deadline: .seconds(60), options: plain)
            guard let record = answer.record, record.state == .inForce else {
              throw CheckFailure("a consent on paper is not in force")
            }
            guard place <= withdrawals else { continue }
            _ = try await admin.records.withdrawConsent(
              WithdrawConsentRequest(recordID: record.recordID, reason: "asked for on paper"), deadline: .seconds(60),
              options: plain)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// A consent of somebody new, given some minutes after the one before it.
  private static func paper(_ number: Int) -> CreatePaperRecordRequest {
    let signedAt = Instant(millisecondsSince1970: 1_577_836_800_000 + 60_000 * Int64(number))
    return CreatePaperRecordRequest(
      studyID: WalkedFlow.study, documentID: WalkedFlow.documentID, documentVersion: 1, locale: "en", sharing: .wide,
      signedAt: Timestamp(signedAt), scan: Array("%PDF-1.7 of record \(number)".utf8), attestedBy: "Dr. Carl")
  }
}
