import AccountContract
import AccountService
import Base
import RPC
import TestSupport
import Testing

@Suite("Rules of conflicts") struct UploadRuleTests {
  @Test(
    "what a call's answer makes of its item",
    arguments: [
      (StatusCode.ok, ItemState.done), (.aborted, .conflict), (.unavailable, .waiting), (.resourceExhausted, .waiting),
      (.deadlineExceeded, .waiting), (.cancelled, .waiting), (.unimplemented, .waiting), (.permissionDenied, .failed),
      (.notFound, .failed), (.invalidArgument, .failed), (.failedPrecondition, .failed), (.internal, .failed),
      (.dataLoss, .failed), (.unauthenticated, .failed), (.alreadyExists, .failed),
    ])
  func states(code: StatusCode, state: ItemState) {
    #expect(UploadRules.state(after: Status(code, "a_rule: why")) == state)
  }

  @Test("changes that interfered until the deadline leave nothing to decide")
  func interference() {
    #expect(UploadRules.state(after: Status(.aborted, "changed_meanwhile: nothing was changed")) == .waiting)
  }

  @Test("answers are left out from where they are too many for one message, and the outcomes stay")
  func size() {
    let half = [UInt8](repeating: 1, count: ResponseRoom.most / 2)
    let outcomes = (0..<4).map { ItemOutcome(itemID: "i\($0)", state: .done, response: $0 == 3 ? [] : half) }
    let room = ResponseRoom()
    let sent = outcomes.map(room.fitted)
    #expect(sent.map(\.itemID) == ["i0", "i1", "i2", "i3"])
    #expect(sent.map(\.response.count) == [half.count, half.count, 0, 0])
    #expect(sent.map(\.responseOmitted) == [false, false, true, false])
  }

  @Test(
    "what can be retried",
    arguments: [
      (ItemState.failed, "SessionService/SubmitOfflineWalk", "role_missing", true),
      (.conflict, "RecordService/UpdateSharing", "sharing_changed_meanwhile", true),
      (.conflict, "SessionService/SubmitOfflineWalk", "outcome_unknown", true),
      (.conflict, "SessionService/SubmitOfflineWalk", "stale_bundle", false),
      (.conflict, "SessionService/ActOnSession", "stale_version", false),
      (.failed, "StudyService/CreateStudy", "unknown_method", false),
      (.done, "SessionService/ActOnSession", "", false),
    ])
  func retryable(state: ItemState, method: String, rule: String, can: Bool) {
    let outcome = ItemOutcome(state: state, rule: rule, method: "assent.consent.v1.\(method)")
    #expect(UploadRules.isRetryable(outcome) == can)
  }

  @Test(
    "no retry is offered of what can never be carried out",
    arguments: [
      (StatusCode.invalidArgument, "too_long", false), (.failedPrecondition, "session_ended", false),
      (.failedPrecondition, "signature_not_saved", true), (.failedPrecondition, "consent_not_given", true),
      (.notFound, "unknown_field", true),
      (.permissionDenied, "not_admitted", true), (.internal, "internal_error", true),
    ])
  func never(code: StatusCode, rule: String, can: Bool) {
    let outcome = ItemOutcome(
      state: .failed, code: Int32(code.rawValue), rule: rule, method: "assent.consent.v1.SessionService/SignRecord")
    #expect(UploadRules.isRetryable(outcome) == can)
  }

  @Test(
    "a rule is a name, whatever a status says",
    arguments: [
      ("role_missing: not yours to do", "role_missing"), ("The database: it is away", "internal"), ("", "internal"),
      ("something broke", "internal"), (": what", "internal"),
    ])
  func names(message: String, rule: String) {
    #expect(UploadRules.rule(of: Status(.internal, message)) == rule)
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
