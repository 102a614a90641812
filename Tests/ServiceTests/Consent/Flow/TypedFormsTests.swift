import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

/// A typed signature is the printed name or initials of it, unless its signer confirms something else.
@Suite("Typed signatures") struct TypedFormsTests {
  private static let ada = PersonName(given: "Ada Augusta", family: "King-Lovelace")

  @Test(
    "the name and its initials need no question",
    arguments: [
      (ada, "Ada Augusta King-Lovelace"), (ada, "ada augusta king lovelace"), (ada, "King-Lovelace, Ada Augusta"),
      (ada, "A.A.K."), (ada, "AK"), (ada, "A. King-Lovelace"), (ada, "Ada  KingLovelace"), (ada, "k a"),
      (PersonName(given: "Zoë", family: "Müller"), "Zoe Muller"), (PersonName(given: "Zoë", family: "Müller"), "zm"),
      (PersonName(given: "Zoë", family: "Müller"), "ZOE\u{308} MU\u{308}LLER"),
      (PersonName(given: "Jürgen", family: "Groß"), "JURGEN GROSS"),
      (PersonName(given: "太郎", family: "山田"), "山田太郎"), (PersonName(given: "太郎", family: "山田"), "山太"),
      (PersonName(given: "प्रिया", family: "शर्मा"), "प्रिया शर्मा"), (PersonName(given: "प्रिया", family: "शर्मा"), "प श"),
      (PersonName(given: "محمد", family: "علي"), "محمد علي"), (PersonName(mononym: "Suharto"), "S."),
      (PersonName(mononym: "Suharto"), "suharto"), (PersonName(given: "Conan", family: "O’Brien"), "Conan OBrien"),
    ])
  func same(name: PersonName, typed: String) throws {
    #expect(try sign(typed, as: name) == false)
  }

  @Test(
    "anything else is asked about, and on record once it is confirmed",
    arguments: [
      (ada, "Ada"), (ada, "Lovelace"), (ada, "A"), (ada, "Ada Byron"), (ada, "AKX"), (ada, "Augusta Ada King-Lovelace"),
      (PersonName(mononym: "Suharto"), "Sukarno"), (PersonName(given: "太郎", family: "山田"), "山本太郎"), (ada, "Ann Kay"),
    ])
  func other(name: PersonName, typed: String) throws {
    let refusal = #expect(throws: Refusal.self) { try sign(typed, as: name) }
    #expect(refusal?.rule == "typed_other_name" && refusal?.field == "signature.typed.text")
    #expect(try sign(typed, as: name, isConfirmed: true))
  }

  @Test("a name typed in a field is held to the same, and one that nobody printed to nothing")
  func elsewhere() throws {
    let drawn = SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1)))
    let field = SavedField(
      fieldID: "f", place: SignaturePlace(), isClosed: false, revision: 1, savedSignatureID: "s", hash: "ab",
      typedText: "Grace Hopper")
    let proof = SignatureProof(field: field)
    let refusal = #expect(throws: Refusal.self) {
      try SigningRules.input(drawn, for: SignatureDefinition(id: "p"), printed: Self.ada, proof: proof)
    }
    #expect(refusal?.rule == "typed_other_name" && refusal?.field == "signature.drawn.field_id")
    #expect(try !SigningRules.input(drawn, for: SignatureDefinition(id: "p"), printed: nil, proof: proof).otherThanName)
    let drawnByHand = SignatureProof(field: .example)
    let claimed = SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1)), otherThanName: true)
    let kept = try SigningRules.input(
      claimed, for: SignatureDefinition(id: "p"), printed: Self.ada, proof: drawnByHand)
    #expect(!kept.otherThanName, "nothing was typed")
  }

  @Test("the screen says what a typed signature is, where a name was asked for and typing is allowed")
  func screen() throws {
    var walker = try DocumentWalks.reviewing()
    try walker.goOn { $0.kind == .signature }
    #expect(walker.screen.signatureForm?.typedRule == "A typed signature is your printed name or its initials.")
    #expect(walker.screen.signatureForm?.otherThanName == "I sign with something other than my name")
    var drawn = try DocumentWalks.reviewing { $0.signatures[0].refusesTyped = true }
    try drawn.goOn { $0.kind == .signature }
    #expect(drawn.screen.signatureForm?.typedRule == "" && drawn.screen.signatureForm?.otherThanName == "")
  }

  private func sign(_ typed: String, as name: PersonName, isConfirmed: Bool = false) throws -> Bool {
    let input = SignatureInput(image: .typed(TypedSignature(text: typed)), otherThanName: isConfirmed)
    return try SigningRules.input(
      input, for: SignatureDefinition(id: "participant"), printed: name, proof: SignatureProof()
    ).otherThanName
  }
}
