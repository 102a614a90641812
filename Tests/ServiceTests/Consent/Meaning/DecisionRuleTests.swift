import Base
import ConsentContract
import ConsentDomain
import TestSupport
import Testing
import Wire

/// Random histories of the rule alone: lists of decisions, records that follow them, and the model.
@Suite("The rule of decisions") struct DecisionRuleTests {
  /// One person's list and records, changed as the service changes them.
  private struct History {
    private static let time = Timestamp(Example.now)
    var decisions: [ConsentDecision] = []
    var records: [ConsentRecord] = []
    var model = DecisionModel()
    /// The next event of the log.
    var place: Int64 = 1
    /// When walks that are still under way began: the place in the log, and the step.
    var walks: [(seen: Int64, step: Int)] = []

    mutating func say(_ isYes: Bool, _ purposes: [String], complete: Bool, walk: (seen: Int64, step: Int)? = nil) {
      var record = ConsentRecord(recordID: "r\(records.count)", subjectID: "s1", purposes: purposes)
      record.filedBefore = place
      let seen = walk?.seen ?? place
      let isLate = isYes && !Decisions.overtaken(purposes, seenBefore: seen, in: "", decisions).isEmpty
      for purpose in purposes {
        decisions.append(
          ConsentDecision(
            number: Int32(decisions.count + 1), purpose: purpose, yes: isYes, recordID: record.recordID,
            filedBefore: place, seenBefore: isYes ? seen : 0))
      }
      record.append(RecordEntry(kind: isYes ? .given : .declined))
      if isLate {
        record.append(RecordEntry(kind: .needsAttention))
      } else if isYes, complete {
        let newer = Decisions.ended(on: record, decisions, among: records).superseded
        let isOvertaken = newer.values.reduce(0) { $0 + $1.count } == purposes.count
        record.append(RecordEntry(kind: isOvertaken ? .superseded : .inForce, at: Self.time))
      }
      records.append(record)
      model.add(record, purposes, isYes: isYes, begun: walk?.step, at: Example.now)
      settle()
    }

    mutating func complete(_ index: Int) {
      guard records[index].state == .awaitingSignatures else { return }
      records[index].append(RecordEntry(kind: .inForce, at: Self.time))
      model.complete.insert(records[index].recordID)
      settle()
    }

    mutating func settle() {
      place += 3
      for index in records.indices {
        let ended = Decisions.ended(on: records[index], decisions, among: records)
        if !ended.withdrawn.isEmpty {
          records[index].append(RecordEntry(kind: .withdrawn, purposes: ended.withdrawn))
        }
        for (later, purposes) in ended.superseded {
          records[index].append(RecordEntry(kind: .superseded, purposes: purposes, supersededBy: later))
        }
      }
    }
  }

  @Test("records that follow the list permit what a model permits")
  func histories() {
    let purposes = ["a", "b"]
    for seed in 0..<(LongTests.areWanted ? 100_000 : 4_000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var history = History()
      for _ in 0..<10 {
        history.model.goOn()
        let some = [["a"], ["b"], purposes].randomElement(using: &generator) ?? purposes
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: history.say(true, some, complete: true)
        case 2: history.say(true, some, complete: false)
        case 3: history.say(false, some, complete: true)
        case 4:
          history.walks.append((history.place, history.model.step))
          history.settle()
        case 5:
          guard let walk = history.walks.popLast() else { continue }
          history.say(true, some, complete: Bool.random(using: &generator), walk: walk)
        default:
          guard let index = history.records.indices.randomElement(using: &generator) else { continue }
          history.complete(index)
        }
        for purpose in purposes {
          let standing = history.records.map { StandingRecord($0, reconsentBy: nil) }
          let answer = ConsentCheck.answer(subject: "s1", purpose: purpose, records: standing, at: Example.now)
          let expected = history.model.answer("s1", purpose)
          guard answer.permitted == (expected != nil), expected == nil || answer.recordID == expected else {
            Issue.record("seed \(seed), \(purpose): \(answer.recordID) \(answer.reason), not \(expected ?? "no")")
            return
          }
        }
      }
    }
  }
}
