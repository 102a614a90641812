import Base
import CommonContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Testing

/// What a process remembers of looks and questions is bounded: what it does not remember is an event of its own.
@Suite("Bounds of looks") struct LookBoundTests {
  private let windows = AccessWindows(length: .seconds(60))
  private let start = MonotonicTime(nanoseconds: 0)

  /// How many events a look makes.
  private func look(
    _ reader: String, at person: String, in tenant: String = "clinic", after time: Duration = .zero
  ) -> Int {
    let entry = TrailEntry(kind: .read, actor: reader, callerKind: "person", subjectID: person)
    let due = windows.take([entry], in: .named(tenant), at: start + time)
    windows.confirm(due, in: .named(tenant), at: start + time)
    return due.count
  }

  @Test("of more than 256 people whom a caller looks at in a minute, each look at the others is an event")
  func people() {
    for person in 0..<256 { #expect(look("ines", at: "s-\(person)") == 1) }
    for _ in 0..<3 { #expect(look("ines", at: "s-256") == 1) }
    for person in 0..<256 { #expect(look("ines", at: "s-\(person)", after: .seconds(59)) == 0) }
    #expect(look("ivo", at: "s-256") == 1)
    #expect(look("ivo", at: "s-256") == 0, "the bound is each caller's own")

    let counts = windows.takeCounts(in: .named("clinic"), at: start + .seconds(60)).map(\.entry)
    #expect(counts.count == 257 && counts.allSatisfy { $0.count == 1 && !$0.subjectID.isEmpty })
    #expect(look("ines", at: "s-256", after: .seconds(60)) == 1)
    #expect(look("ines", at: "s-256", after: .seconds(61)) == 0, "the next minute has room again")
  }

  @Test("of more than 1,024 people of a tenant who look in a minute, each look of the others is an event")
  func readers() {
    for reader in 0..<1024 { #expect(look("r-\(reader)", at: "bea") == 1) }
    for _ in 0..<3 { #expect(look("r-1024", at: "bea") == 1) }
    for reader in 0..<1024 { #expect(look("r-\(reader)", at: "bea", after: .seconds(59)) == 0) }
    #expect(look("r-1024", at: "bea", in: "hospital") == 1)
    #expect(look("r-1024", at: "bea", in: "hospital") == 0, "the bound is each tenant's own")
  }

  @Test("who was told about a person from memory is on record for an hour: for caller, person and study")
  func questions() throws {
    let asked = AskedQuestions()
    let caller = try Caller(CallerIdentity(kind: .person, tenant: "clinic", subject: "ines"))
    let bea = AccessTarget.person("bea", in: "heart")
    #expect(!asked.isKnown(caller, bea, at: start))
    asked.note(caller, bea, at: start)
    #expect(asked.isKnown(caller, bea, at: start + .seconds(3599)))
    #expect(!asked.isKnown(caller, bea, at: start + .seconds(3600)))

    for (tenant, subject) in [("clinic", "ivo"), ("hospital", "ines")] {
      let other = try Caller(CallerIdentity(kind: .person, tenant: tenant, subject: subject))
      #expect(!asked.isKnown(other, bea, at: start))
    }
    for touched in [AccessTarget.person("ada", in: "heart"), .person("bea", in: "lung")] {
      #expect(!asked.isKnown(caller, touched, at: start))
    }
    // What a caller of another kind was told does not count for a person, whatever the person is called.
    for kind in CallerKind.allCases where kind != .person {
      let asker = try Caller(CallerIdentity(kind: kind, tenant: "clinic", subject: "desk"))
      asked.note(asker, bea, at: start)
      #expect(asked.isKnown(asker, bea, at: start))
      for name in ["desk", "\(kind.word):desk"] {
        let person = try Caller(CallerIdentity(kind: .person, tenant: "clinic", subject: name))
        #expect(!asked.isKnown(person, bea, at: start))
      }
    }
  }
}
