import CommonContract
import ConsentContract
import ConsentDomain
import RPC
import ServicePolicy
import StorageTestKit
import Testing

/// Names that cannot be signed with are refused when they are given, and typed signatures that are another name are
/// asked about, in every way in.
@Suite("Names and signatures") struct NameLetterTests {
  private static let unwritable = PersonName(given: "𓀀", family: "Ito")
  private static let long = PersonName(
    given: String(repeating: "a", count: 60), family: String(repeating: "b", count: 60))

  @Test(
    "a name that no font draws, or longer than a signature, is refused at NAME with the field",
    arguments: TestEngine.allCases)
  func naming(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    func enter(_ name: PersonName) async throws -> SessionView {
      try await world.act(naming, FlowAction(kind: .enterName, name: name))
    }
    await refusal("unknown_letter", "name") { try await enter(Self.unwritable) }
    await refusal("too_long", "name") { try await enter(Self.long) }
    let record = try await world.record(
      of: try await world.goOn(try await enter(PersonName(given: "Ada", family: "Lovelace"))))
    for (name, rule) in [(Self.unwritable, "unknown_letter"), (Self.long, "too_long")] {
      await refusal(rule, "name") {
        try await world.investigator.sessions.signRecord(
          SignRecordRequest(recordID: record.recordID, signatureID: "investigator", name: name, signature: typed("AL")))
      }
    }
    await world.end()
  }

  @Test("nobody is kept from giving a name because fonts cannot be asked about")
  func unreachable() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    world.fields.isUnreachable = true
    let named = try await world.act(naming, FlowAction(kind: .enterName, name: Self.unwritable))
    #expect(named.screen?.kind == .signature)
    world.fields.isUnreachable = false
    await world.end()
  }

  @Test("another name is refused until it is confirmed: in a session, afterwards, and on an app's own screens")
  func other() async throws {
    let world = try await World()
    try await world.open()
    let signing = try await world.walk { $0.kind == .signature }
    func sign(_ signature: SignatureInput) async throws -> SessionView {
      try await world.act(signing, FlowAction(kind: .sign, signature: signature))
    }
    await refusal("typed_other_name", "signature.typed.text") {
      try await sign(typed("Grace Hopper"))
    }
    let confirmed = typed("The Countess", isConfirmed: true)
    let record = try await world.record(of: try await world.goOn(try await sign(confirmed)))
    #expect(record.signatures.map(\.otherThanName) == [true])
    var request = SignRecordRequest(
      recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
      signature: typed("Dr No"))
    await refusal("typed_other_name", "signature.typed.text") {
      try await world.investigator.sessions.signRecord(request)
    }
    request.signature = typed("I. Ito")
    let signed = try await world.investigator.sessions.signRecord(request).record
    #expect(signed?.signatures.map(\.otherThanName) == [true, false])

    let own = "documents[0].signatures[0]"
    await refusal("typed_other_name", "\(own).signature.typed.text") {
      try await world.app.sessions.recordConsent(
        Example.recordConsent { ($0.subjectID, $0.documents[0].signatures[0].signature) = ("s2", typed("Grace")) })
    }
    await refusal("unknown_letter", "\(own).name") {
      try await world.app.sessions.recordConsent(
        Example.recordConsent { ($0.subjectID, $0.documents[0].signatures[0].name) = ("s2", Self.unwritable) })
    }
    await world.end()
  }

  @Test("what an app on its own screens leaves out is named as a field of its request")
  func fields() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 16)
    try await world.open(content: content)
    func refused(_ rule: String, _ field: String, _ change: (inout RecordConsentRequest) -> Void) async {
      await refusal(rule, field) {
        try await world.app.sessions.recordConsent(
          Example.recordConsent { request in
            request.birthDate = CalendarDate(year: 1990, month: 1, day: 1)
            change(&request)
          })
      }
    }
    await refused("not_given", "birth_date") { $0.birthDate = nil }
    await refused("sharing_not_chosen", "documents[0].sharing") { $0.documents[0].sharing = .unspecified }
    await refused("name_missing", "documents[0].signatures[0].name.given") { $0.documents[0].signatures[0].name = nil }
    await refused("signature_missing", "documents[0].signatures[0].signature") {
      $0.documents[0].signatures[0].signature = nil
    }
    await refused("not_given", "documents[0].signatures") { $0.documents[0].signatures = [] }
    await world.end()
  }

  private func refusal(_ rule: String, _ field: String, _ call: () async throws -> some Any) async {
    do {
      _ = try await call()
      Issue.record("not refused; expected \(rule)")
    } catch {
      let info = (error as? Status)?.info
      #expect(info?.rule == rule && info?.field == field, "\(error)")
    }
  }

  private func typed(_ text: String, isConfirmed: Bool = false) -> SignatureInput {
    SignatureInput(image: .typed(TypedSignature(text: text)), otherThanName: isConfirmed)
  }
}
