import AccountContract
import AccountService
import Base
import Bus
import TestSupport
import Testing

@Suite("Rules of conflicts") struct UploadRuleTests {
  /// docs/sync.md's rows: the manner of an item, what happened, and what becomes of it.
  static let rows: [(UploadableMethod.Manner, UploadFacts, String?)] = [
    (.agrees, UploadFacts(), nil),
    (.agrees, UploadFacts(withdrawal: 5, seen: 4), "withdrawn_meanwhile"),
    (.agrees, UploadFacts(withdrawal: 5, seen: 5), nil),
    (.agrees, UploadFacts(withdrawal: 5, seen: 0, sessionStart: 6), nil),
    (.agrees, UploadFacts(withdrawal: 5, seen: 0, sessionStart: 4), "withdrawn_meanwhile"),
    (.withdraws, UploadFacts(withdrawal: 5, seen: 0), nil),
    (.edits, UploadFacts(withdrawal: 5, seen: 0), nil),
  ]

  @Test("each row of the table", arguments: rows)
  func row(manner: UploadableMethod.Manner, facts: UploadFacts, rule: String?) throws {
    let method = try #require(UploadableMethod.table.first { $0.manner == manner })
    #expect(UploadRules.conflict(method, facts) == rule)
  }

  @Test(
    "what a call's answer makes of its item",
    arguments: [
      (StatusCode.ok, ItemState.done), (.aborted, .conflict), (.unavailable, .waiting), (.resourceExhausted, .waiting),
      (.deadlineExceeded, .waiting), (.cancelled, .waiting), (.unimplemented, .waiting), (.permissionDenied, .failed),
      (.notFound, .failed), (.invalidArgument, .failed), (.failedPrecondition, .failed), (.internal, .failed),
      (.dataLoss, .failed), (.unauthenticated, .failed), (.alreadyExists, .failed),
    ])
  func states(code: StatusCode, state: ItemState) {
    #expect(UploadRules.state(after: code) == state)
  }

  @Test("docs/sync.md lists the methods that may be recorded, and their manners")
  func page() throws {
    let page = String(decoding: try Files.read(Repository.path("docs/sync.md")), as: UTF8.self)
    for method in UploadableMethod.table {
      let manner = "\(method.manner)"
      let isListed = page.split(separator: "\n").contains {
        $0.contains("`\(method.descriptor.name)`") && $0.contains("| \(manner) |")
      }
      #expect(isListed, "\(method.name) \(manner)")
    }
  }

  @Test("a fraction never falls, whatever is counted")
  func progress() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      var meter = ProgressMeter(uploads: Int64.random(in: 0...20, using: &generator))
      var last = 0.0
      func look(_ progress: SyncProgress) {
        #expect(progress.fraction >= last && progress.fraction <= 1 && progress.completed <= progress.total)
        last = progress.fraction
      }
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        look(meter.uploaded(Int.random(in: 0...9, using: &generator)))
      }
      let total = Int64.random(in: 0...50, using: &generator)
      for completed in 0..<Int64.random(in: 1...60, using: &generator) {
        look(meter.downloaded(completed, of: total, isDone: false))
        #expect(last < 1)
      }
      look(meter.downloaded(total, of: total, isDone: true))
      #expect(last == 1)
    }
  }
}
