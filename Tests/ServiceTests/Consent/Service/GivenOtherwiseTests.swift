import Base
internal import Bus
import ConsentContract
import ConsentService
import Pictures
import RPC
import SignatureContract
import StorageTestKit
import Testing
import Wire

/// Signatures that were uploaded, and those with words below them, in both services: from the field to the record and
/// its picture.
@Suite(.timeLimit(.minutes(2))) struct GivenOtherwiseTests {
  private static let settings: FieldSettings = {
    var settings = FieldSettings(header: "Sign", required: true)
    settings.uploadAllowed = true
    settings.inscription = FieldInscription(name: "Ada Lovelace", reason: "I agree to take part", date: true)
    return settings
  }()

  /// A line across white paper.
  private static func scan() throws -> [UInt8] {
    var rgba: [UInt8] = []
    for y in 0..<60 {
      for x in 0..<200 {
        let grey: UInt8 = (20..<180).contains(x) && abs(y - 45 + x / 6) < 3 ? 30 : 250
        rgba += [grey, grey, grey, 255]
      }
    }
    return try #require(JPEG.encode(Bitmap(width: 200, height: 60, rgba: rgba), quality: 90))
  }

  private func active(
    _ world: SignedWorld, _ view: SessionView, settings: FieldSettings = Self.settings
  ) async throws -> FieldView {
    let place = try #require(view.screen?.signatureForm?.place)
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion)
    let request = CreateFieldRequest(reference: reference, settings: settings)
    let made = try await world.device.createField(request).view
    let field = try #require(made)
    let tapped = try await world.device.tapField(
      TapFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)
    ).view
    return try #require(tapped)
  }

  private func uploaded(_ world: SignedWorld, _ view: SessionView) async throws -> FieldView {
    let field = try await active(world, view)
    let request = SaveUploadedImageRequest(
      fieldID: field.fieldID, expectedVersion: field.version, content: try Self.scan())
    let saved = try await world.device.saveUploadedImage(request).view
    return try #require(saved)
  }

  private func picture(of record: ConsentRecord, _ world: SignedWorld) async throws -> [UInt8] {
    let image = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
    try await world.runJobs { (try? await world.consent.app.records.getSignatureImage(image)) != nil }
    return try await world.consent.app.records.getSignatureImage(image).content
  }

  /// Width and height, as the PNG says.
  private func size(_ png: [UInt8]) -> (width: Int, height: Int) {
    func number(_ place: Int) -> Int { png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }

  @Test("an uploaded image signs what allows it, and is marked on the record; it signs nothing else")
  func image() async throws {
    let world = try await SignedWorld(.sqlite)
    var content = Example.content()
    content.settings?.signatures[0].allowsUploaded = true
    try await world.consent.open(content: content)
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    #expect(view.screen?.signatureForm?.uploadAllowed == true)
    let field = try await uploaded(world, view)
    let record = try await world.consent.record(
      of: try await world.consent.goOn(try await world.consent.act(view, world.signing(field))))
    let signature = try #require(record.signatures.first)
    #expect(signature.origin == SignatureOrigin(uploaded: true) && !signature.typed)
    #expect(signature.strokesHash == field.saved?.hash && field.saved?.kind == .uploaded)
    let shown = size(try await picture(of: record, world))
    // Twice the size, 16 pixels around: the line, and three lines of words below it.
    #expect(shown.width > 350 && shown.height > 150)
    await world.end()

    let strict = try await SignedWorld(.sqlite)
    try await strict.consent.open()
    let other = try await strict.consent.walk(site: "north") { $0.kind == .signature }
    let refused = try await uploaded(strict, other)
    await expectRefusal(.failedPrecondition, "uploaded_signature_refused") {
      try await strict.consent.act(other, strict.signing(refused))
    }
    await strict.end()
  }

  @Test(
    "words below the ink that say something else than the record sign nothing",
    arguments: [
      (FieldInscription(name: "Zoë Müller"), "words_of_other_name"),
      (FieldInscription(name: "Ada Lovelace King"), "words_of_other_name"),
      (FieldInscription(reason: "I do not agree to take part."), "words_of_other_reason"),
      (FieldInscription(name: "Ada Lovelace", reason: "Seen"), "words_of_other_reason"),
      (FieldInscription(name: "LOVELACE, Ada", reason: "I agree to take  part", date: true), ""),
      (FieldInscription(name: "Lovelace Ada"), ""), (FieldInscription(date: true), ""),
    ])
  func words(below: FieldInscription, rule: String) async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    var settings = FieldSettings(header: "Sign", required: true)
    settings.inscription = below
    let field = try await active(world, view, settings: settings)
    let answer = try await world.device.saveTypedName(
      SaveTypedNameRequest(
        fieldID: field.fieldID, expectedVersion: field.version, name: TypedName(text: "Ada Lovelace"))
    ).view
    let saved = try #require(answer)
    #expect(saved.inscription == below)
    if rule.isEmpty {
      _ = try await world.consent.act(view, world.signing(saved))
    } else {
      await expectRefusal(.failedPrecondition, rule) { try await world.consent.act(view, world.signing(saved)) }
    }
    await world.end()
  }

  @Test("a typed name with words below it is held to its commitment when it is drawn for the record")
  func typed() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    let field = try await active(world, view)
    let request = SaveTypedNameRequest(
      fieldID: field.fieldID, expectedVersion: field.version, name: TypedName(text: "Ada Lovelace"))
    let answer = try await world.device.saveTypedName(request).view
    let saved = try #require(answer)
    let record = try await world.consent.record(
      of: try await world.consent.goOn(try await world.consent.act(view, world.signing(saved))))
    #expect(record.signatures.first?.typed == true && record.signatures.first?.origin == nil)
    let shown = size(try await picture(of: record, world))
    #expect(shown.height > 250, "the words are there: \(shown)")
    await world.end()
  }

  @Test("a record's picture has the colours and the crop of the field, and is cropped where the field says nothing")
  func colours() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    var settings = FieldSettings(header: "Sign", required: true, inkColor: "#102080", paperColor: "transparent")
    settings.crop = FieldCrop(padding: 4)
    let field = try await active(world, view, settings: settings)
    let answer = try await world.device.saveTypedName(
      SaveTypedNameRequest(
        fieldID: field.fieldID, expectedVersion: field.version, name: TypedName(text: "Ada Lovelace"))
    ).view
    let saved = try #require(answer)
    let record = try await world.consent.record(
      of: try await world.consent.goOn(try await world.consent.act(view, world.signing(saved))))
    let image = try await picture(of: record, world)
    let renders = RenderServiceClient(
      world.consent.bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "consent")))
    func rendered(_ change: (inout RenderSettings) -> Void) async throws -> [UInt8] {
      var wanted = try #require(saved.savedImage?.settings)
      (wanted.format, wanted.scale) = (.png, 2)
      change(&wanted)
      let request = RenderRequest(source: .typed(TypedName(text: "Ada Lovelace")), settings: wanted)
      return try await renders.render(request).image
    }
    #expect(image == (try await rendered { _ in }))
    #expect(image != (try await rendered { $0.inkColor = "" }))
    #expect(image != (try await rendered { $0.paperColor = "" }))
    #expect(image != (try await rendered { $0.trimMargin = 16 }))
    await world.end()
  }
}
