import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

/// Sharing, reading, agreeing and signing: ResearchKit's rules, and the product's own.
@Suite("Reviewing and signing a document")
struct ReviewTests {
  @Test("sharing is a single choice, widely or with the investigator only, and cannot be skipped")
  func sharing() throws {
    var walker = try DocumentWalks.walker(steps: ["sharing"])
    #expect(walker.screen.sharingOptions.map(\.choice) == [.wide, .investigatorOnly])
    #expect(walker.screen.sharingOptions[0].text.contains("Uni and partners"))
    #expect(walker.screen.learnMore?.html.contains("<p>More about sharing</p>") == true)
    #expect(!walker.screen.offered.contains(.next))
    #expect(#expect(throws: Refusal.self) { try walker.act(.share) }?.rule == "sharing_not_chosen")
    try walker.act(FlowAction(kind: .share, sharing: .investigatorOnly))
    #expect(walker.state.sharing == [SharingResult(documentID: Example.documentID, choice: .investigatorOnly)])
  }

  @Test("review order: read, agree with the reason for consent, name, signature")
  func reviewOrder() throws {
    var walker = try DocumentWalks.reviewing()
    #expect(walker.screen.kind == .review)
    let asked = try walker.act(.scrolledToEnd, .agree)
    #expect(asked.alert?.kind == .confirmAgreement)
    #expect(asked.alert?.message == "You want to take part.\nIf you agree, you say yes to:\n• Research")
    #expect(try walker.act(.confirm).kind == .name)
    #expect(try walker.act(Walker.filled(.enterName, on: walker.screen)).kind == .signature)
    #expect(walker.screen.signatureForm?.meaning == "I agree to take part.")
    try walker.act(Walker.filled(.sign, on: walker.screen))
    #expect(walker.outcome == .completed)
    #expect(walker.state.signatures.map(\.signatureID) == ["participant"])
    #expect(walker.state.signatures.first?.name == PersonName(given: "Ada", family: "Lovelace"))
  }

  @Test("the agree button waits until the document has been read to its end; the gate can be switched off")
  func scrollGate() throws {
    var gated = try DocumentWalks.reviewing()
    #expect(!gated.screen.offered.contains(.agree))
    #expect(gated.screen.toolbar?.buttons.first { $0.action == .agree }?.enabled == false)
    #expect(#expect(throws: Refusal.self) { try gated.act(.agree) }?.rule == "not_offered")
    #expect(try gated.act(.scrolledToEnd).offered.contains(.agree))
    let open = try DocumentWalks.reviewing { $0.withoutScrollGate = true }
    #expect(open.screen.offered.contains(.agree))
  }

  @Test("Disagree records declined, asks for no signature and goes to the completion")
  func disagree() throws {
    var walker = try DocumentWalks.reviewing()
    let screen = try walker.act(.disagree)
    #expect(walker.outcome == .declined)
    #expect(screen.kind == .completion && screen.title == "You declined")
    #expect(walker.state.documents.map(\.agreed) == [false])
    #expect(walker.state.signatures.isEmpty)
    #expect(walker.changes.contains { if case .documentDecided(let result) = $0 { !result.agreed } else { false } })
  }

  @Test("disagreeing after going back clears name and image")
  func disagreeClears() throws {
    var walker = try DocumentWalks.reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm)
    try walker.act(Walker.filled(.enterName, on: walker.screen))
    try walker.act(.back, .back, .disagree)
    #expect(walker.state.pendingNames.isEmpty && walker.state.signatures.isEmpty)
    #expect(walker.outcome == .declined)
  }

  @Test(
    "a review may need agreement only, a name only, or an image only",
    arguments: [
      (false, false, [ScreenKind.review]), (true, false, [.review, .name]), (false, true, [.review, .signature]),
    ])
  func reviewShapes(name: Bool, image: Bool, kinds: [ScreenKind]) throws {
    var walker = try DocumentWalks.reviewing { settings in
      settings.signatures[0].requiresName = name
      settings.signatures[0].requiresImage = image
    }
    var seen: [ScreenKind] = []
    while walker.outcome == .unspecified {
      if seen.last != walker.screen.kind { seen.append(walker.screen.kind) }
      try walker.act(Walker.goodAction(on: walker.screen))
    }
    #expect(seen == kinds)
    #expect(walker.state.signatures.map(\.signatureID) == ["participant"])
    #expect(walker.state.signatures.first?.name != nil || !name)
  }

  @Test("leaving in the middle of a review records no decision")
  func quitInReview() throws {
    var walker = try DocumentWalks.reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm, .cancel, .confirm)
    #expect(walker.outcome == .quit)
    #expect(!walker.changes.contains { if case .documentDecided = $0 { true } else { false } })
  }

  @Test("a typed signature satisfies a required image, unless the document refuses it")
  func typed() throws {
    var walker = try DocumentWalks.reviewing { $0.signatures[0].refusesTyped = true }
    try walker.goOn { $0.kind == .signature }
    #expect(walker.screen.signatureForm?.typedAllowed == false)
    let typed = FlowAction(
      kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: "Ada", font: "plain"))))
    #expect(#expect(throws: Refusal.self) { try walker.act(typed) }?.rule == "typed_signature_refused")
    let drawn = FlowAction(
      kind: .sign, signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1))))
    #expect(#expect(throws: Refusal.self) { try walker.act(drawn) }?.rule == "signature_not_saved")
    #expect(#expect(throws: Refusal.self) { try walker.act(.sign) }?.rule == "signature_missing")
    let typedInField = SavedField(
      fieldID: "f", place: SignaturePlace(), isClosed: false, revision: 1, savedSignatureID: "t", hash: "ab",
      typedText: "Ada Lovelace")
    let refusal = #expect(throws: Refusal.self) { try walker.act(drawn, proof: SignatureProof(field: typedInField)) }
    #expect(refusal?.rule == "typed_signature_refused")
    try walker.act(drawn, proof: SignatureProof(field: .example))
    #expect(walker.state.signatures.first?.strokesHash == "ab")
    #expect(walker.state.signatures.first?.savedSignatureID == "saved-f")
  }

  @Test("the signer authenticates again where the document asks for it, and the verified assertion is kept")
  func reauthentication() throws {
    var walker = try DocumentWalks.reviewing { $0.signatures[0].requiresReauthentication = true }
    try walker.goOn { $0.kind == .signature }
    let action = Walker.filled(.sign, on: walker.screen)
    #expect(#expect(throws: Refusal.self) { try walker.act(action) }?.rule == "reauthentication_required")
    try walker.act(action, proof: SignatureProof(authentication: .example))
    #expect(walker.state.signatures.first?.authentication == .example)
  }

  @Test("signing outside the ethics approval, before the offer and after it is refused, each with its own error")
  func dates() throws {
    let now = Example.now
    let cases: [(String, (inout DocumentSettings) -> Void)] = [
      (
        "outside_ethics_approval",
        { $0.ethics = EthicsApproval(number: "1", committee: "c", validUntil: Timestamp(now)) }
      ),
      (
        "outside_ethics_approval",
        { $0.ethics = EthicsApproval(number: "1", committee: "c", validFrom: Timestamp(now + .seconds(100))) }
      ),
      ("not_offered_now", { $0.validity = ValidityPeriod(offeredFrom: Timestamp(now + .seconds(100))) }),
      ("not_offered_now", { $0.validity = ValidityPeriod(offeredUntil: Timestamp(now)) }),
    ]
    for (rule, change) in cases {
      var walker = try DocumentWalks.reviewing(change)
      try walker.act(.scrolledToEnd)
      let before = walker.state
      #expect(#expect(throws: Refusal.self) { try walker.act(.agree) }?.rule == rule)
      #expect(walker.state == before)
    }
  }

  @Test("signing below the pass mark is refused even where a flow forgot the questions")
  func belowPassMark() throws {
    var walker = try DocumentWalks.walker(steps: ["review"])
    try walker.act(.scrolledToEnd)
    #expect(#expect(throws: Refusal.self) { try walker.act(.agree) }?.rule == "below_pass_mark")
  }
}
