import Base
import RPC
import ServicePolicy
import Storage
import Testing

@Suite("Callers") struct CallerTests {
  private func caller(
    _ kind: CallerKind = .person, _ grants: [String] = [], as subject: String = "ana"
  ) throws -> Caller {
    try Caller(CallerIdentity(kind: kind, tenant: "clinic", subject: subject, device: "pad", grants: grants))
  }

  @Test("a caller without a tenant, or with an invalid one, is refused", arguments: ["", "a b", "ä"])
  func noTenant(tenant: String) {
    let refusal = #expect(throws: Refusal.self) { try Caller(CallerIdentity(kind: .person, tenant: tenant)) }
    #expect(refusal?.kind == .denied && refusal?.rule == "no_tenant")
  }

  @Test("readings are recorded unless they are the subject's own")
  func onRecord() throws {
    #expect(try caller(.person, ["inspector@heart"]).isOnRecord(reading: "bea"))
    #expect(try !caller(.person).isOnRecord(reading: "ana"))
    #expect(try caller(.device).isOnRecord(reading: "bea") && caller(.device, as: "bea").isOnRecord(reading: "bea"))
    #expect(try caller(.service).isOnRecord(reading: "bea"), "a service's reading too")
  }

  @Test("callers of all kinds and names own different keys, also if a person's name begins with another kind's word")
  func owners() throws {
    let plain = ["ana", "consent", "unnamed"]
    let names = plain + CallerKind.allCases.flatMap { kind in plain.map { "\(kind.word):\($0)" } }
    #expect(names.allSatisfy { $0.isIdentifier }, "people may have these names")
    let callers = try CallerKind.allCases.flatMap { kind in try names.map { try caller(kind, as: $0) } }
    let owners = Set(callers.map(\.keyHolder))
    #expect(owners.count == callers.count && callers.count == 90)
    #expect(try !owners.contains(caller(.person, as: "").keyHolder))
    // What a person and a device call for the device has one owner, which is the device.
    #expect(try caller(.person).keyHolder(of: .device) == caller(.device, as: "pad").keyHolder(of: .caller))
    #expect(try caller(.person).keyHolder(of: .caller) == "ana")
  }

  @Test("a role for what an answer contains is a person's, for the whole study")
  func contents() throws {
    #expect(try caller(.person, ["publisher@heart"]).has([.publisher, .inspector], inStudy: "heart"))
    #expect(try caller(.person, ["inspector@*"]).has([.publisher, .inspector], inStudy: "heart"))
    for grants in [[], ["admin@*"], ["publisher@lung"], ["publisher@heart/north"]] {
      #expect(try !caller(.person, grants).has([.publisher, .inspector], inStudy: "heart"))
    }
    #expect(try !caller(.device, ["publisher@heart"]).has([.publisher], inStudy: "heart"))
  }

  @Test("staff for a person is who investigates or coordinates where that person takes part, and is somebody else")
  func staff() throws {
    let touched = AccessTarget.person("bea", in: "heart", site: "north")
    for grant in ["investigator@heart", "coordinator@heart/north", "coordinator@*"] {
      #expect(try caller(.person, [grant]).isStaff(for: touched))
    }
    for grant in ["investigator@heart/south", "inspector@heart", "witness@heart", "admin@*", "coordinator@lung"] {
      #expect(try !caller(.person, [grant]).isStaff(for: touched))
    }
    #expect(try !caller(.person, ["investigator@heart"], as: "bea").isStaff(for: touched))
    #expect(try !caller(.device, ["investigator@heart"]).isStaff(for: touched))
  }
}
