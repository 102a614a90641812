import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing
import Wire

/// How a signature came to be, and what a document takes.
@Suite struct SignatureOriginTests {
  private func reviewing(_ change: (inout DocumentSettings) -> Void = { _ in }) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    change(&settings)
    var flow = Example.flow()
    flow.steps.removeAll { $0.id != "review" && $0.id != "end" }
    return Walker(try Example.engine(flow, settings: settings))
  }

  @Test("a field for initials asks for initials, in its title, its words and its button, in every language")
  func words() throws {
    var initials = try reviewing { $0.signatures[0].initials = true }
    try initials.goOn { $0.kind == .signature }
    let screen = initials.screen
    #expect(screen.title == "Initials" && screen.text.contains("your initials") && !screen.text.contains("sign"))
    #expect(screen.navigationBar?.title == "Initials" && screen.toolbar?.buttons.first?.title == "Initial")
    var drawn = try reviewing { ($0.signatures[0].initials, $0.signatures[0].refusesTyped) = (true, true) }
    try drawn.goOn { $0.kind == .signature }
    #expect(!drawn.screen.text.contains("type"))
    for language in Catalog.languages {
      for (own, signed) in [
        (TextKey.initialsTitle, TextKey.signatureTitle), (.initialsText, .signatureText),
        (.initialsDrawnText, .signatureDrawnText), (.initial, .sign),
      ] {
        #expect(Catalog.text(own, language: language) != Catalog.text(signed, language: language), "\(language) \(own)")
      }
    }
  }

  @Test("who signs by a fresh authentication alone is not asked for a finger or a pen")
  func authenticated() throws {
    var walker = try reviewing { settings in
      (settings.signatures[0].requiresImage, settings.signatures[0].requiresReauthentication) = (false, true)
    }
    try walker.goOn { $0.kind == .signature }
    #expect(walker.screen.text == Catalog.text(.signatureConfirmText, language: "en"))
  }

  @Test("initials stand beside the signature of the same person in one document")
  func beside() throws {
    var settings = Example.settings()
    settings.signatures.insert(
      SignatureDefinition(id: "page-1", role: .participant, order: 1, requiresImage: true, initials: true), at: 0)
    var content = Example.content()
    content.settings = settings
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "page-1", title: "Initials", meaning: "I have read page 1."))
    }
    let problems = DocumentValidation.problems(in: content, version: 1, assets: [])
    #expect(problems.filter { $0.severity == .error }.isEmpty, "\(problems)")
    let now = Timestamp(Example.now)
    var record = ConsentRecord(recordID: "r", subjectID: "s1", kind: .document)
    record.append(RecordEntry(kind: .given, at: now))
    for id in ["page-1", "participant"] {
      let signature = RecordSignature(signatureID: id, signedAt: now, personID: "s1")
      record = try Signing.adding(signature, to: record, settings, entry: RecordEntry(at: now))
    }
    #expect(record.signatures.map(\.signatureID) == ["page-1", "participant"] && Signing.isInForce(record, settings))
    // Nobody else's place is taken by that.
    let other = RecordSignature(signatureID: "investigator", signedAt: now, personID: "s1")
    let refusal = #expect(throws: Refusal.self) {
      try Signing.adding(other, to: record, settings, entry: RecordEntry(at: now))
    }
    #expect(refusal?.rule == "same_signer")
    content.settings?.signatures[0].initials = false
    let twice = DocumentValidation.problems(in: content, version: 1, assets: [])
    #expect(twice.contains { $0.rule == "duplicate_role" })
  }

  @Test("a guardian gives initials beside the signature, one after the other, and no second signature")
  func guardian() throws {
    var settings = Example.settings()
    (settings.comprehension, settings.age) = (nil, AgePolicy(minimumAge: 6, majorityAge: 18))
    settings.signatures.insert(
      contentsOf: [
        SignatureDefinition(id: "page-1", role: .guardian, order: 0, requiresImage: true, initials: true),
        SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true),
      ], at: 0)
    var content = Example.content()
    content.settings?.signatures = settings.signatures
    content.settings?.age = settings.age
    for index in content.texts.indices {
      content.texts[index].signatures += [
        SignatureText(signatureID: "page-1", title: "Guardian", meaning: "I have read page 1."),
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."),
      ]
    }
    let problems = DocumentValidation.problems(in: content, version: 1, assets: [])
    #expect(problems.filter { $0.severity == .error }.isEmpty, "\(problems)")
    content.settings?.signatures[0].initials = false
    let twice = DocumentValidation.problems(in: content, version: 1, assets: [])
    #expect(twice.contains { $0.rule == "duplicate_role" })

    let child = CalendarDate(year: 2016, month: 1, day: 1)
    var walker = try DocumentWalks.walker(settings: settings, birthDate: child, steps: ["review"])
    try walker.goOn { $0.signatureForm?.initials == true }
    #expect(walker.screen.signatureForm?.signatureID == "page-1")
    try walker.act(
      FlowAction(
        kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: "G. G.", font: "plain")))))
    try walker.goOn()
    #expect(walker.outcome == .completed)
    #expect(walker.state.signatures.map(\.signatureID) == ["page-1", "guardian"])
  }

  @Test("an uploaded image, a reused signature and initials are taken only where the document asks for them")
  func origins() throws {
    func field(_ origin: SignatureOrigin) -> SavedField {
      SavedField(
        fieldID: "f", place: SignaturePlace(), isClosed: false, revision: 1, savedSignatureID: "s", hash: "ab",
        typedText: nil, origin: origin)
    }
    let action = FlowAction(
      kind: .sign, signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1))))
    let uploaded = SignatureOrigin(uploaded: true)
    let reused = SignatureOrigin(reusedFrom: "earlier", reusedRevision: 2)
    let cases: [(SignatureOrigin, String, (inout SignatureDefinition) -> Void)] = [
      (uploaded, "uploaded_signature_refused", { $0.allowsUploaded = true }),
      (reused, "reused_signature_refused", { ($0.allowsReused, $0.requiresReauthentication) = (true, true) }),
      (SignatureOrigin(initials: true), "other_mark", { $0.initials = true }),
    ]
    for (origin, rule, allow) in cases {
      let proof = SignatureProof(field: field(origin), authentication: .example)
      var plain = try reviewing()
      try plain.goOn { $0.kind == .signature }
      #expect(#expect(throws: Refusal.self) { try plain.act(action, proof: proof) }?.rule == rule)
      var walker = try reviewing { allow(&$0.signatures[0]) }
      try walker.goOn { $0.kind == .signature }
      let form = try #require(walker.screen.signatureForm)
      #expect(form.uploadAllowed == origin.uploaded && form.initials == origin.initials)
      #expect(form.reuseAllowed == !origin.reusedFrom.isEmpty)
      try walker.act(action, proof: proof)
      #expect(walker.state.signatures.first?.origin == origin)
    }
    // Whole signatures are no initials, and what was saved before is nothing without a fresh authentication.
    var initials = try reviewing { $0.signatures[0].initials = true }
    try initials.goOn { $0.kind == .signature }
    let whole = #expect(throws: Refusal.self) { try initials.act(action, proof: SignatureProof(field: .example)) }
    #expect(whole?.rule == "other_mark")
    let long = FlowAction(
      kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace", font: "plain"))))
    #expect(#expect(throws: Refusal.self) { try initials.act(long) }?.rule == "typed_text_out_of_bounds")
    var unproven = try reviewing {
      ($0.signatures[0].allowsReused, $0.signatures[0].requiresReauthentication) = (true, true)
    }
    try unproven.goOn { $0.kind == .signature }
    let alone = #expect(throws: Refusal.self) { try unproven.act(action, proof: SignatureProof(field: field(reused))) }
    #expect(alone?.rule == "reauthentication_required")
  }
}
