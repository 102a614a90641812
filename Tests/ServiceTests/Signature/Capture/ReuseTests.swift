import Base
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// A person's saved signature, used again; and initials.
@Suite(.timeLimit(.minutes(2))) struct ReuseTests {
  private func settings(_ change: (inout FieldSettings) -> Void = { _ in }) -> FieldSettings {
    var settings = FieldSettings(header: "Participant", required: true)
    settings.reuseAllowed = true
    change(&settings)
    return settings
  }

  private func reuse(_ signature: String, in field: FieldDriver) async throws -> FieldView {
    let request = ReuseSignatureRequest(
      fieldID: field.view.fieldID, expectedVersion: field.view.version, signatureID: signature)
    let view = try await field.client.reuseSignature(request).view
    return try #require(view)
  }

  private func active(
    _ client: SignatureServiceClient, _ settings: FieldSettings, subject: String = "subject-1", session: String = "two"
  ) async throws -> FieldDriver {
    var field = try await FieldDriver.create(client, settings: settings, subject: subject, session: session)
    try await field.tap()
    return field
  }

  @Test(
    "the same person uses a saved signature again: a revision of its own that says what it repeats",
    arguments: TestEngine.allCases)
  func again(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let person = bench.signer(at: "phone-1")
    let first = try await FieldDriver.signed(person)
    let source = try #require(first.view.saved)
    // The first one is signed with; what repeats it is no second use of that revision.
    _ = try await bench.service.completeField(
      CompleteFieldRequest(fieldID: first.view.fieldID, revision: 1, reference: first.view.reference))
    let field = try await active(bench.signer(at: "phone-2"), settings())
    let view = try await reuse(source.signatureID, in: field)
    let saved = try #require(view.saved)
    #expect(view.state == .saved && saved.kind == .drawn && saved.signatureID != source.signatureID)
    #expect(
      saved.reusedFrom
        == SignatureSource(signatureID: source.signatureID, fieldID: first.view.fieldID, revision: 1))
    #expect(saved.hash != source.hash, "each has a salt of its own")
    #expect(saved.pointCount == source.pointCount)
    let (repeated, original) = (try await bench.blob(of: saved), try await bench.blob(of: source))
    #expect(repeated == original)
    let event = try await bench.database.database.scope(.named("clinic")).read { [id = view.fieldID] in
      try $0.events(after: 0, stream: id, limit: 10).last.map { try FieldEvent(decoding: $0.payload) }
    }
    #expect(event?.reusedFrom == saved.reusedFrom && event?.actor == "subject-1")
    let listed = try await person.listRevisions(ListRevisionsRequest(fieldID: view.fieldID)).revisions
    #expect(listed == [saved])
  }

  @Test("words below a reused signature are those of its own field")
  func words() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let person = bench.signer(at: "phone-1")
    let first = try await FieldDriver.signed(person)
    let source = try #require(first.view.saved)
    let field = try await active(
      person, settings { $0.inscription = FieldInscription(name: "Zoë Müller", reason: "Second study") })
    let saved = try await reuse(source.signatureID, in: field).saved
    let (repeated, original) = (try await bench.blob(of: saved), try await bench.blob(of: source))
    #expect(try StrokeBlob.read(repeated).inscription.reason == "Second study")
    #expect(try StrokeBlob.read(original).inscription == .none)
  }

  @Test("nobody else's signature is used, none that a device saved, and none at a device")
  func onlyOnesOwn() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let person = bench.signer(at: "phone-1")
    let mine = try await FieldDriver.signed(person)
    let theirs = try await FieldDriver.signed(bench.signer("subject-2", at: "phone-2"), subject: "subject-2")
    let tablet = try await FieldDriver.signed(bench.device())
    let own = try #require(mine.view.saved), others = try #require(theirs.view.saved)
    let atDevice = try #require(tablet.view.saved)
    let field = try await active(person, settings())
    for signature in [others.signatureID, atDevice.signatureID, "unknown"] {
      let refusal = await status { _ = try await reuse(signature, in: field) }
      #expect(refusal?.code == .notFound && refusal?.message.contains("signature '\(signature)'") == true)
    }
    let shared = try await active(bench.device(), settings())
    let denied = await status { _ = try await reuse(own.signatureID, in: shared) }
    #expect(denied?.code == .permissionDenied)
    let closed = try await active(person, settings { $0.reuseAllowed = false }, session: "three")
    let refusal = await status { _ = try await reuse(own.signatureID, in: closed) }
    #expect(refusal?.code == .failedPrecondition && refusal?.message.contains("'reuse'") == true)
  }

  @Test("initials have a smaller canvas, words of their own and short names, and are no signature")
  func initials() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let person = bench.signer(at: "phone-1")
    let whole = try await FieldDriver.signed(person)
    let signature = try #require(whole.view.saved)
    #expect(signature.mark == .signature)
    let field = try await active(person, settings { $0.mark = .initials })
    #expect(field.view.canvas == InkCanvas(width: 200, height: 100, devicePixelRatio: 1))
    #expect(field.view.mark == .initials)
    #expect(field.view.controls.first { $0.kind == .canvas }?.label == "Initials")
    #expect(field.view.controls.first { $0.kind == .reuse }?.label == "Use my initials")
    let other = await status { _ = try await reuse(signature.signatureID, in: field) }
    #expect(other?.code == .failedPrecondition && other?.message.contains("the field asks for initials") == true)
    let long = await status { [field] in
      var field = field
      try await field.type("Zoë Müller-Lüdenscheidt")
    }
    #expect(long?.code == .invalidArgument && long?.message.contains("initials have at most 10") == true)
    var typed = field
    try await typed.type("ZM")
    #expect(typed.view.saved?.mark == .initials)
    let again = try await active(person, settings { $0.mark = .initials }, session: "three")
    let first = try #require(typed.view.saved)
    let reused = try await reuse(first.signatureID, in: again)
    #expect(reused.saved?.kind == .typed && reused.saved?.mark == .initials)
  }
}
