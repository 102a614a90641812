import RPC
import Storage
import Testing

@testable import ServicePolicy

@Suite("Work in other services") struct LastingWorkTests {
  private func setback(_ error: any Error) -> JobSetback {
    JobSetback(of: error, passing: ["legal_hold"], until: [.invalidArgument, .notFound])
  }

  @Test("only what the other service says of the work itself ends it", arguments: StatusCode.allCases)
  func codes(code: StatusCode) {
    let found = setback(Status(code, "a_rule: it says why"))
    switch code {
    case .invalidArgument, .notFound: #expect(found == .pointless)
    case .unavailable, .deadlineExceeded, .resourceExhausted, .aborted:
      #expect(found == .passing(within: .seconds(600)))
    case .unimplemented: #expect(found == .passing(within: .seconds(3600)))
    default: #expect(found == .fault)
    }
  }

  @Test("a hold ends by itself; an error of the own database counts as its callers would get it")
  func others() {
    struct Unknown: Error {}
    #expect(setback(Status(.failedPrecondition, "legal_hold: 's1' is held")) == .passing(within: .seconds(600)))
    #expect(setback(DatabaseError(.held, "a hold")) == .passing(within: .seconds(600)))
    #expect(setback(DatabaseError(.diskFull, "full")) == .passing(within: .seconds(600)))
    #expect(setback(DatabaseError(.corrupt, "altered")) == .fault)
    #expect(setback(Refusal.notFound("record", "r")) == .pointless)
    #expect(setback(Unknown()) == .fault)
  }
}
