import RPC
import ServicePolicy
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
    let touched = Touched.person("bea", in: "heart", site: "north")
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
