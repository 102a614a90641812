import Bus
import ServicePolicy
import Testing

@Suite("Callers") struct CallerTests {
  private func caller(
    _ access: MethodDescriptor.Access = .user, _ grants: [String] = [], as subject: String = "ana"
  ) throws -> Caller {
    try Caller(CallerIdentity(access: access, tenant: "clinic", subject: subject, device: "pad", grants: grants))
  }

  @Test("a caller without a tenant, or with an invalid one, is refused", arguments: ["", "a b", "ä"])
  func noTenant(tenant: String) {
    let refusal = #expect(throws: Refusal.self) { try Caller(CallerIdentity(access: .admin, tenant: tenant)) }
    #expect(refusal?.kind == .denied && refusal?.rule == "no_tenant")
  }

  @Test(
    "a grant counts at its study and site and nowhere else",
    arguments: [
      ("inspector@heart", true, true), ("inspector@heart/north", true, false), ("inspector@heart/south", false, false),
      ("inspector@lung", false, false), ("inspector@*", true, true), ("admin@heart", true, true),
      ("publisher@heart", false, false), ("inspector", false, false), ("inspector@", false, false),
      ("inspector@/north", false, false), ("", false, false),
    ])
  func places(grant: String, atSite: Bool, atStudy: Bool) throws {
    let caller = try caller(.user, [grant])
    #expect(caller.has(Role.readers, study: "heart", site: "north") == atSite)
    #expect(caller.has(Role.readers, study: "heart", site: "") == atStudy)
  }

  @Test("administrators without grants, services and admins of every study are not restricted to a study")
  func unbound() throws {
    #expect(try caller(.admin).isUnbound && caller(.service).isUnbound && caller(.user, ["admin@*"]).isUnbound)
    #expect(try !caller(.admin, ["admin@heart"]).isUnbound && !caller(.device).isUnbound)
  }

  @Test("a refusal names the caller, the place and the role that is needed")
  func refusal() throws {
    let refusal = try #require(throws: Refusal.self) {
      try caller(.user, []).require([.investigator, .coordinator], study: "heart", site: "north")
    }
    #expect(refusal.kind == .denied && refusal.rule == "role_missing")
    for words in ["'ana'", "site 'north' of study 'heart'", "investigator or coordinator"] {
      #expect(refusal.message.contains(words))
    }
  }

  @Test("a study is open to its people and to apps that are not restricted to a study")
  func entry() throws {
    #expect(try caller(.device).mayEnter("heart") && caller(.user, ["participant@heart/north"]).mayEnter("heart"))
    #expect(try !caller(.user).mayEnter("heart") && !caller(.user, ["publisher@heart-2"]).mayEnter("heart"))
  }

  @Test("people's readings are recorded unless they read their own data; those of devices and services are not")
  func onRecord() throws {
    #expect(try caller(.user, ["inspector@heart"]).isOnRecord(reading: "bea"))
    #expect(try caller(.admin).isOnRecord(reading: "bea"))
    #expect(try !caller(.user).isOnRecord(reading: "ana"))
    #expect(try !caller(.device).isOnRecord(reading: "bea") && !caller(.service).isOnRecord(reading: "bea"))
    #expect(try caller(.service, ["inspector@heart"]).isOnRecord(reading: "bea"), "it acts for somebody")
  }

  @Test("acting for a subject is for the person, the study's staff, and apps not restricted to another study")
  func participation() throws {
    func may(_ caller: Caller) -> Bool {
      (try? caller.requireParticipation(of: "ana", study: "heart", site: "north")) != nil
    }
    #expect(try may(caller()) && may(caller(.device, as: "app")) && may(caller(.user, ["witness@heart"], as: "carl")))
    #expect(try may(caller(.device, ["participant@heart/north"], as: "app")))
    #expect(try !may(caller(.device, ["participant@lung"], as: "app")))
    #expect(try !may(caller(.user, [], as: "carl")) && !may(caller(.user, ["participant@heart"], as: "carl")))
  }
}
