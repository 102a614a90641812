import RPC
import ServicePolicy
import Testing

/// The function that decides, against a table: one row per permission, caller, thing and facts.
@Suite("Who is admitted") struct AdmissionTests {
  /// What is on record in these tests.
  private struct Facts: Relations {
    var guardians: Set<String> = ["gil"]
    var devices: Set<String> = ["pad"]
    var places: [String: Set<StudyPlace>] = [
      "bea": [StudyPlace(study: "heart", site: "north")], "sue": [StudyPlace(study: "heart", site: "")],
    ]
    var wards: [String: Set<StudyPlace>] = ["gil": [StudyPlace(study: "heart", site: "north")]]

    func guardians(of subject: String, in study: String) -> Set<String> {
      subject == "bea" && study == "heart" ? guardians : []
    }
    func devices(of subject: String, in study: String) -> Set<String> {
      subject == "bea" && study == "heart" ? devices : []
    }
    func places(of participant: String) -> Set<StudyPlace> { places[participant] ?? [] }
    func places(ofWardsOf guardian: String) -> Set<StudyPlace> { wards[guardian] ?? [] }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let permission: MethodPermission
    let caller: String
    let target: AccessTarget
    let isAdmitted: Bool
    var testDescription: String { "\(caller) \(isAdmitted ? "may" : "may not"): \(permission), \(target)" }

    init(_ permission: MethodPermission, _ caller: String, _ target: AccessTarget, _ isAdmitted: Bool) {
      (self.permission, self.caller, self.target, self.isAdmitted) = (permission, caller, target, isAdmitted)
    }
  }

  private static let north = AccessTarget.person("bea", in: "heart", site: "north")
  private static let nowhere = AccessTarget.person("bea", in: "heart")
  private static let document = AccessTarget.study("heart")
  private static let southOnly = AccessTarget(study: .one("heart"), site: .one("south"))
  private static let site = MethodPermission([.investigator, .inspector], at: .site)
  private static let study = MethodPermission([.publisher], at: .study)
  private static let tenant = MethodPermission([.admin], at: .tenant)
  private static let own = MethodPermission([.participant], as: .itself)
  private static let ward = MethodPermission([.guardian], as: .guardianOf)
  private static let device = MethodPermission([.device], at: .site, as: .deviceOf)
  private static let helper = MethodPermission([.coordinator], at: .site, as: .assisting)
  private static let task = MethodPermission([.witness, .investigator], at: .site, as: .assigned)
  private static let taking = MethodPermission([.participant, .guardian], at: .site, as: .itself)

  private static func with(_ target: AccessTarget, _ change: (inout AccessTarget) -> Void) -> AccessTarget {
    var target = target
    change(&target)
    return target
  }

  /// Callers are written `kind:name:grant,grant`.
  static let rows: [Row] = [
    // A role counts at its place and in what lies within.
    Row(site, "person:ines:investigator@heart/north", north, true),
    Row(site, "person:ines:investigator@heart", north, true),
    Row(site, "person:ines:inspector@*", north, true),
    Row(site, "person:ines:investigator@heart/south", north, false),
    Row(site, "person:ines:investigator@lung", north, false),
    Row(site, "person:ines:coordinator@heart", north, false),
    Row(site, "person:ines:admin@*", north, false),
    Row(site, "person:ines:investigator@heart/south", nowhere, true),
    Row(site, "person:ines:investigator@heart/north", .everything(in: "heart"), false),
    Row(site, "person:ines:investigator@heart", .everything(in: "heart"), true),
    Row(site, "person:ines:investigator@heart/north", .everything(in: "heart", site: "north"), true),
    Row(site, "person:ines:investigator@heart", .wholeTenant, false),
    Row(site, "person:ines:investigator@*", .wholeTenant, true),
    Row(site, "person:ines:investigator@heart/north", .tenant, true),
    Row(site, "person:ines:", .tenant, false),
    Row(study, "person:pia:publisher@heart", document, true),
    Row(study, "person:pia:publisher@heart/north", document, false),
    Row(study, "person:pia:publisher@lung", document, false),
    Row(study, "person:pia:publisher@lung", .tenant, true),
    Row(study, "person:pia:publisher@heart", .wholeTenant, false),
    Row(tenant, "person:ada:admin@*", .wholeTenant, true),
    Row(tenant, "person:ada:admin@heart", .wholeTenant, false),
    Row(tenant, "person:ada:admin@heart", document, false),
    Row(tenant, "person:ada:admin@*", document, true),
    // A grant counts for people alone, and needs a place.
    Row(site, "device:ines:investigator@heart", north, false),
    Row(site, "service:ines:investigator@heart", north, false),
    Row(site, "operator:ines:investigator@heart", north, false),
    Row(site, "person::investigator@heart", north, false),
    Row(site, "person:ines:investigator", north, false),
    Row(site, "person:ines:investigator@", north, false),
    Row(site, "person:ines:investigator@/north", north, false),
    // A person acts for themselves, and nobody else does.
    Row(own, "person:bea:", north, true),
    Row(own, "person:carl:", north, false),
    Row(own, "person:carl:participant@heart", north, false),
    Row(own, "person:ines:investigator@heart,admin@*", north, false),
    Row(own, "device:bea:", north, false),
    Row(own, "service:bea:", north, false),
    Row(own, "person::", .person("unnamed", in: "heart"), false),
    // A guardian acts for the ward on record, in the study on record.
    Row(ward, "person:gil:", north, true),
    Row(ward, "person:bea:", north, false),
    Row(ward, "person:gus:", north, false),
    Row(ward, "person:gil:", .person("bea", in: "lung"), false),
    Row(ward, "person:gil:", .person("ben", in: "heart"), false),
    Row(ward, "device:gil:", north, false),
    Row(own, "person:gil:", north, false),
    // A device acts where a session of the person is held, at its places.
    Row(device, "device:pad:", north, true),
    Row(device, "device:pad:device@heart/north", north, true),
    Row(device, "device:pad:device@heart/south", north, false),
    Row(device, "device:pad:participant@heart/north", north, false),
    Row(device, "device:other:", north, false),
    Row(device, "device:other:", with(north) { $0.isBeginning = true }, true),
    Row(device, "device:other:device@heart/south", with(north) { $0.isBeginning = true }, false),
    Row(device, "device:pad:", .person("ben", in: "heart"), false),
    Row(device, "person:pad:", north, false),
    Row(device, "person:carl:", with(north) { $0.isBeginning = true }, false),
    // A device to which a field is lent reaches that one alone, as its holder.
    Row(device, "device:link:field@f1", with(north) { ($0.field, $0.holder) = ("f1", "link") }, true),
    Row(device, "device:link:field@f1", with(north) { ($0.field, $0.holder) = ("f1", "pad") }, false),
    Row(device, "device:link:field@f1", with(north) { ($0.field, $0.holder) = ("f2", "link") }, false),
    Row(device, "device:link:field@f1", with(north) { $0.holder = "link" }, false),
    Row(device, "device:link:field@f1", with(north) { $0.isBeginning = true }, false),
    Row(device, "device:pad:field@f1,device@heart", north, false),
    Row(device, "device:link:field@f1", .tenant, false),
    Row(MethodPermission([.device]), "device:link:field@f1", .tenant, false),
    // Who assists is on record, works there, and is not the person.
    Row(helper, "person:carl:coordinator@heart", with(north) { $0.assistant = "carl" }, true),
    Row(helper, "person:carl:coordinator@heart", with(north) { $0.assistant = "cora" }, false),
    Row(helper, "person:carl:coordinator@heart", north, false),
    Row(helper, "person:carl:coordinator@heart/south", with(north) { $0.assistant = "carl" }, false),
    Row(helper, "person:carl:", with(north) { $0.assistant = "carl" }, false),
    Row(helper, "person:bea:coordinator@heart", with(north) { $0.assistant = "bea" }, false),
    Row(helper, "person:carl:coordinator@heart", with(north) { $0.isBeginning = true }, false),
    // Whoever signs does it in the role of the signature.
    Row(task, "person:ines:investigator@heart", with(north) { $0.act = .investigator }, true),
    Row(task, "person:ines:investigator@heart", with(north) { $0.act = .witness }, false),
    Row(task, "person:ines:investigator@heart", north, false),
    Row(own, "person:bea:", with(north) { $0.act = .participant }, true),
    Row(own, "person:bea:", with(north) { $0.act = .investigator }, false),
    Row(ward, "person:gil:", with(north) { $0.act = .participant }, false),
    // A thing of a study is open to those who take part there, and to their guardians.
    Row(taking, "person:bea:", document, true),
    Row(taking, "person:gil:", document, true),
    Row(taking, "person:bea:", .study("lung"), false),
    Row(taking, "person:carl:participant@heart", document, false),
    Row(taking, "person:bea:", .tenant, true),
    Row(taking, "person:bea:", southOnly, false),
    Row(taking, "device:bea:", document, false),
    // Kinds of keys.
    Row(MethodPermission([.service]), "service:consent:", north, true),
    Row(MethodPermission([.service]), "person:consent:", north, false),
    Row(MethodPermission([.operator]), "operator:ops:", .wholeTenant, true),
    Row(MethodPermission([.operator]), "person:ada:admin@*", .wholeTenant, false),
    Row(MethodPermission([.operator]), "service:consent:", .wholeTenant, false),
    Row(MethodPermission([.public]), "stranger::", .wholeTenant, true),
    Row(own, "stranger:bea:", north, false),
  ]

  @Test("each row of the table", arguments: rows)
  func row(_ row: Row) throws {
    let parts = row.caller.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let kind = try #require(CallerKind(word: parts[0]))
    let grants = parts[2].split(separator: ",").map(String.init)
    let caller = try Caller(CallerIdentity(kind: kind, tenant: "clinic", subject: parts[1], grants: grants))
    #expect(try Admission([row.permission], caller).admits(to: row.target, Facts()) == row.isAdmitted)
  }

  @Test("one permission of several is enough, and none admits nobody")
  func several() throws {
    let caller = try Caller(CallerIdentity(kind: .person, tenant: "clinic", subject: "bea"))
    #expect(try Admission([Self.site, Self.own], caller).admits(to: Self.north, Facts()))
    #expect(try !Admission([], caller).admits(to: Self.north, Facts()))
    #expect(try !Admission([], caller).admits(to: .tenant, Facts()))
  }

  @Test("what comes with the request itself is open to whoever has one of the roles at all")
  func ownInput() throws {
    let permissions = [
      MethodPermission([.inspector], at: .site), MethodPermission([.device], at: .site, as: .deviceOf),
    ]
    func admits(_ kind: CallerKind, _ grants: [String] = []) throws -> Bool {
      let caller = try Caller(CallerIdentity(kind: kind, tenant: "clinic", subject: "x", grants: grants))
      return Admission(permissions, caller).admitsToRequest
    }
    #expect(try admits(.device) && admits(.person, ["inspector@heart/north"]))
    #expect(try !admits(.device, ["field@f1"]), "a field was lent to it, and nothing else")
    #expect(try !admits(.person) && !admits(.person, ["publisher@*"]) && !admits(.service) && !admits(.operator))
  }
}
