import Base
internal import Bus
import ConsentContract
import ConsentService
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What is left of a person after an erasure, in everything that ConsentService and SignatureService have stored.
@Suite("Erased is forgotten", .timeLimit(.minutes(5))) struct ForgottenTests {
  private static let given = "Wilhelmina"
  private static let family = "Featherstonehaugh"
  private static let typed = "W. Featherstonehaugh-Typed"
  private static let guardian = PersonName(given: "Ottokar", family: "Featherstonehaugh-Senior")
  private static let guardianTyped = "O. Featherstonehaugh-Typed"
  /// What an app showed on screens of its own, and what its device is called.
  private static let shown = "I, Wilhelmina, born on a Tuesday in Leeds, have read this."
  private static let tablet = "Wilhelmina's iPad"
  private static let scan = Array("%PDF-1.7 a scan with the hand of Wilhelmina".utf8)

  /// What was said and shown: names, dates, reasons, pictures, strokes.
  private static var facts: [PlantedFact] {
    let texts = [
      ("given name", given), ("family name", family), ("printed name", "\(given)\u{A0}\(family)"),
      ("typed signature", typed), ("its picture", "picture-of-\(typed)"), ("guardian's given name", guardian.given),
      ("guardian's family name", guardian.family), ("guardian's typed signature", guardianTyped),
      ("reason of a correction", "her passport was misread"),
      ("reason of a renewal", "she could not hear the question"),
      ("reason of a withdrawal", "moves to her sister in Leeds"), ("reason of a hold", "her brother's lawsuit"),
      ("reason for lifting it", "her brother has died"), ("reason of the erasure", "she wrote us on Tuesday"),
      ("who attests", "Nurse Hildegard Knef"), ("header of a field", "Signature of Miss Wilhelmina"),
      ("label of a field", "Wilhelmina agrees here"), ("helper of a field", "with her left hand"),
      ("placeholder of a field", "Wilhelmina signs"), ("name typed in a field", "Minnie Featherstonehaugh"),
      ("pen of a drawing", "the stylus of Wilhelmina"), ("reason of a signature's hold", "forged, says her aunt"),
      ("reason for lifting that", "her aunt was mistaken"),
      ("reason of a signature's erasure", "her own request in June"), ("text of an app's own screens", shown),
      ("name of a device", tablet),
    ]
    return texts.map { PlantedFact($0.0, $0.1) }
      + [
        PlantedFact("scan", scan), PlantedFact("points of a drawing", Array(((try? piece.encoded()) ?? [])[16..<60])),
      ]
      + PlantedFact.day("birth date as stated first", 2013, 1, 9) + PlantedFact.day("birth date", 2012, 3, 8)
      + PlantedFact.day("month of birth", 2012, 3, 1) + PlantedFact.day("month of majority", 2030, 3, 1)
      + PlantedFact.day("birth date on paper", 1986, 7, 13)
  }

  private static let piece = StrokePiece(
    beginsStroke: true, x: [12.5, 40.25, 77.125, 91.5, 123.75, 200.5, 222.25, 260.125],
    y: [20.5, 31.25, 44.125, 21.5, 83.75, 90.5, 62.25, 70.125], timeMs: [0, 16, 33, 50, 66, 83, 100, 116])

  @Test(
    "after an erasure no table, event or file has any of thirty facts: in clear, encoded, hashed, or found by trying",
    arguments: TestEngine.allCases)
  func forgotten(engine: TestEngine) async throws {
    let world = try await SignedWorld(engine)
    let signed = try await fill(world)
    let traces = Traces(of: Self.facts + Self.guessed(signed))
    #expect(Self.facts.count >= 30)
    // The search would find them: the answers have them all.
    let export = try await world.consent.client("s1").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    #expect(traces.found(in: export.content).count > 10)

    for subject in ["s1", "s5"] {
      _ = try await world.consent.admin.records.eraseSubject(
        EraseSubjectRequest(subjectID: subject, reason: "she wrote us on Tuesday"))
    }
    try await world.runJobs {
      let view = try? await world.service.getField(GetFieldRequest(fieldID: signed.field.fieldID))
      return view == nil
    }
    for (name, test) in [("consent", world.consent.test), ("signature", world.capture)] {
      let found = try await traces.found(in: test)
      #expect(found.isEmpty, "\(name): \(found.sorted())")
      let control = try await Traces(of: [PlantedFact("session", signed.record.sessionID)]).found(in: test)
      #expect(!control.isEmpty, "the search finds what is there")
    }
    try await answersNo(world, signed)
    await world.end()
  }

  /// What somebody would try who has a list: hashes of names, of their pictures, of birth dates.
  private static func guessed(_ signed: Signed) -> [PlantedFact] {
    var facts = [PlantedFact("picture", signed.picture), PlantedFact("strokes", signed.blob)]
    let names = ["Ada Lovelace", "Minnie Featherstonehaugh", given, family, "\(given) \(family)", typed, guardianTyped]
    for name in names {
      facts.append(PlantedFact("guessed: \(name)", name))
      facts.append(PlantedFact("guessed picture of \(name)", "picture of \(name)"))
    }
    for day in 1...28 { facts += PlantedFact.day("guessed day \(day)", 2012, 3, day).prefix(1) }
    return facts
  }

  private struct Signed {
    let record: ConsentRecord
    let field: FieldView
    let picture: [UInt8]
    let blob: [UInt8]
  }

  /// Everything that can be stored about a person.
  private func fill(_ world: SignedWorld) async throws -> Signed {
    let consent = world.consent
    try await consent.open(content: Self.content())
    let first = try await consent.app.sessions.startSession(
      StartSessionRequest(
        flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2,
        birthDate: CalendarDate(year: 2013, month: 1, day: 9)))
    _ = try await consent.coordinator.sessions.correctBirthDate(
      CorrectBirthDateRequest(
        studyID: World.study, subjectID: "s1", birthDate: CalendarDate(year: 2012, month: 3, day: 8),
        reason: "her passport was misread"))
    _ = try await consent.coordinator.studies.setGuardian(
      SetGuardianRequest(
        studyID: World.study, siteID: "north", subjectID: "s1", guardianID: "g1", authority: .parent))
    #expect(first.session != nil)
    let start = try await consent.app.sessions.startSession(
      StartSessionRequest(
        flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2,
        birthDate: CalendarDate(year: 2012, month: 3, day: 8)))
    var view = try #require(start.session)
    var saved: FieldView?
    while let screen = view.screen, !screen.offered.isEmpty {
      var action = Walker.goodAction(on: screen)
      if action.kind == .enterName {
        let isGuardian = screen.nameForm?.signatureID == "guardian"
        action.name = isGuardian ? Self.guardian : PersonName(given: Self.given, family: Self.family)
      } else if action.kind == .sign, let place = screen.signatureForm?.place {
        if place.signatureID == "participant" {
          let field = try await draw(world, for: place)
          saved = field
          action = world.signing(field)
        } else {
          action.signature = SignatureInput(
            image: .typed(TypedSignature(text: Self.guardianTyped, font: "plain")), otherThanName: true)
        }
      }
      view = try await consent.act(view, action)
    }
    let record = try await consent.record(of: view)
    #expect(record.majorityMonth == "2030-03-01" && record.signatures.count == 2)
    let field = try #require(saved)
    let strokes = try await world.service.getStrokes(
      GetStrokesRequest(signature: .signatureID(field.saved?.signatureID ?? "")))
    let image = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
    try await world.runJobs { (try? await consent.app.records.getSignatureImage(image)) != nil }
    let picture = try await consent.app.records.getSignatureImage(image).content
    // A task is waiting for the investigator, who has not signed.
    let tasks = try await consent.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    #expect(tasks.tasks.map(\.subjectID) == ["s1"])
    try await reasons(world, record)
    try await onOwnScreens(world)
    return Signed(record: record, field: field, picture: picture, blob: strokes.blob)
  }

  /// The same person under another identifier, at an app that asks on screens of its own.
  private func onOwnScreens(_ world: SignedWorld) async throws {
    let app = world.consent.app
    // Identifiers stay in clear for good, so they have no room for words.
    await expectRefusal(.invalidArgument, "bad_name") {
      try await app.sessions.startSession(
        StartSessionRequest(flowID: "flow", siteID: "north", subjectID: "s5", deviceID: Self.tablet))
    }
    let answer = try await app.sessions.recordConsent(
      Example.recordConsent { request in
        request.subjectID = "s5"
        request.birthDate = CalendarDate(year: 1986, month: 7, day: 13)
        request.documents[0].shownText = Self.shown
        request.documents[0].signatures[0].name = PersonName(given: Self.given, family: Self.family)
        request.documents[0].signatures[0].signature = SignatureInput(
          image: .typed(TypedSignature(text: Self.typed, font: "plain")), otherThanName: true)
      })
    let record = try #require(answer.records.first)
    let content = try await app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(content.content == Array(Self.shown.utf8))
  }

  private static func content() -> DocumentContent {
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    content.settings?.signatures.insert(
      SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true), at: 0)
    for index in content.texts.indices {
      content.texts[index].guardianAuthority = "I may decide for this child."
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."))
    }
    return content
  }

  /// A field for a signature, with strokes saved in it; and others of the same session: with a name, and with strokes
  /// that were never saved.
  private func draw(_ world: SignedWorld, for place: SignaturePlace) async throws -> FieldView {
    let settings = FieldSettings(
      header: "Signature of Miss Wilhelmina", required: true, label: "Wilhelmina agrees here",
      helperText: "with her left hand", placeholder: "Wilhelmina signs", reentry: .toActive)
    let typed = try await open(world, place, settings)
    _ = try await world.device.saveTypedName(
      SaveTypedNameRequest(
        fieldID: typed.fieldID, expectedVersion: typed.version, name: TypedName(text: "Minnie Featherstonehaugh")))
    _ = try await pen(world, try await open(world, place, settings))
    let drawn = try await pen(world, try await open(world, place, settings))
    return try #require(
      try await world.device.saveField(
        SaveFieldRequest(
          fieldID: drawn.fieldID, expectedVersion: drawn.version, drawnWith: "the stylus of Wilhelmina")
      ).view)
  }

  private func open(_ world: SignedWorld, _ place: SignaturePlace, _ settings: FieldSettings) async throws -> FieldView
  {
    let made = try #require(
      try await world.device.createField(
        CreateFieldRequest(reference: FieldReference(place), settings: settings)
      ).view)
    return try #require(
      try await world.device.tapField(TapFieldRequest(fieldID: made.fieldID, expectedVersion: made.version)).view)
  }

  private func pen(_ world: SignedWorld, _ field: FieldView) async throws -> FieldView {
    let call = world.device.appendStrokes()
    try await call.requests.send(
      AppendStrokesRequest(fieldID: field.fieldID, expectedVersion: field.version, pieces: [Self.piece]))
    return try #require(try await call.finish().message.view)
  }

  /// Reasons, attestations and holds, of both services.
  private func reasons(_ world: SignedWorld, _ record: ConsentRecord) async throws {
    let consent = world.consent
    _ = try await consent.coordinator.sessions.renewAttempts(
      RenewAttemptsRequest(
        subjectID: "s1", documentID: Example.documentID, documentVersion: 1, reason: "she could not hear the question"))
    _ = try await consent.coordinator.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID, reason: "moves to her sister in Leeds"))
    // Paper with another date than the one on record is refused.
    let onPaper = CalendarDate(year: 1986, month: 7, day: 13)
    _ = try await consent.coordinator.sessions.correctBirthDate(
      CorrectBirthDateRequest(
        studyID: World.study, subjectID: "s1", birthDate: onPaper, reason: "the paper has another date"))
    _ = try await consent.coordinator.records.createPaperRecord(
      CreatePaperRecordRequest(
        studyID: World.study, siteID: "north", subjectID: "s1", documentID: Example.documentID, documentVersion: 1,
        locale: "en", sharing: .wide, birthDate: onPaper,
        signedAt: Timestamp(consent.clock.clock.now), scan: Self.scan, attestedBy: "Nurse Hildegard Knef"))
    for (held, reason) in [(true, "her brother's lawsuit"), (false, "her brother has died")] {
      _ = try await consent.admin.records.setLegalHold(
        SetLegalHoldRequest(subjectID: "s1", held: held, reason: reason))
    }
    let admin = SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .person, tenant: "t1", subject: "root", grants: ["admin@*"])))
    for (held, reason) in [(true, "forged, says her aunt"), (false, "her aunt was mistaken")] {
      _ = try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "s1", held: held, reason: reason))
    }
    #expect(try await consent.check().permitted, "by the consent on paper")
  }

  /// Erased answers no everywhere at once, and others are not kept from theirs.
  private func answersNo(_ world: SignedWorld, _ signed: Signed) async throws {
    let consent = world.consent
    let answer = try await consent.check()
    #expect(!answer.permitted && answer.reason == "erased")
    let tasks = try await consent.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    #expect(tasks.tasks.isEmpty)
    let due = try await consent.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
    #expect(due.dueConsents.isEmpty)
    // A session in which somebody else has a field, too.
    var place = SignaturePlace(
      subjectID: "s2", studyID: World.study, siteID: "north", sessionID: signed.record.sessionID,
      signatureID: "participant", documentID: Example.documentID, documentVersion: 1)
    place.recordID = ""
    let other = try await world.field(for: place)
    let fields = try await world.service.listFields(ListFieldsRequest(sessionID: signed.record.sessionID))
    #expect(fields.views.map(\.fieldID) == [other.fieldID])
    let admin = SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .person, tenant: "t1", subject: "root", grants: ["admin@*"])))
    _ = try await admin.eraseSignatures(
      EraseSignaturesRequest(subjectID: "s2", reason: "her own request in June"))
    let traces = Traces(of: Self.facts)
    #expect(try await traces.found(in: world.capture).isEmpty)
  }
}

extension FieldReference {
  init(_ place: SignaturePlace) {
    self.init(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
  }
}
