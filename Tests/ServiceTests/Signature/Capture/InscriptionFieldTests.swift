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

/// Words below what is saved in a field: part of the signature, in every picture of it.
@Suite(.timeLimit(.minutes(2))) struct InscriptionFieldTests {
  private func settings(_ change: (inout FieldSettings) -> Void = { _ in }) -> FieldSettings {
    var settings = FieldSettings(header: "Participant", required: true)
    settings.inscription = FieldInscription(name: "Zoë Müller", reason: "I agree to take part", date: true)
    change(&settings)
    return settings
  }

  private func render(
    _ signature: String, _ bench: SignatureBench, _ format: SignatureFormat = .png
  ) async throws -> RenderResponse {
    try await RenderServiceClient(bench.channel()).render(
      RenderRequest(source: .signatureID(signature), settings: RenderSettings(format: format)))
  }

  @Test(
    "name, reason and the server's time are stored, hashed and drawn with the strokes", arguments: TestEngine.allCases)
  func drawn(engine: TestEngine) async throws {
    let clock = Clock(
      wall: { Instant(millisecondsSince1970: 1_772_353_800_000) }, monotonic: { Clock.system.monotonic })
    let bench = try await SignatureBench(on: engine, clock: clock)
    var field = try await FieldDriver.create(bench.device(), settings: settings())
    try await field.tap()
    try await field.draw(SampleSignature.reference.ink.strokes)
    // The device's clock is years off; the words say what the server's says, at the device's offset.
    try await field.save(SigningTime(at: Timestamp(seconds: 1000), utcOffsetMinutes: 60))
    let saved = try #require(field.view.saved)
    let blob = try await bench.blob(of: saved)
    let words = Inscription(
      name: "Zoë Müller", date: "2026-03-01 09:30:00 UTC+01:00", reason: "I agree to take part")
    #expect(try StrokeBlob.read(blob).inscription == words)
    let answer = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    #expect(answer.drawing?.inscription == InkInscription(words))
    #expect(field.view.savedImage?.etag == "", "its letters' fonts decide, too")
    for format in [SignatureFormat.png, .svg, .pdf, .jpeg, .webp] {
      let picture = try await render(saved.signatureID, bench, format)
      #expect(picture.height == 293 && picture.faces.map(\.name) == ["DejaVu Sans"], "\(format)")
      let again = try await RenderServiceClient(bench.channel()).render(
        RenderRequest(
          source: .signatureID(saved.signatureID), settings: RenderSettings(format: format),
          ifNoneMatch: picture.etag))
      #expect(again.notModified, "\(format)")
      // Whoever draws the stored form gets the same picture, under a name of its own.
      let same = try await RenderServiceClient(bench.channel()).render(
        RenderRequest(source: .blob(blob), settings: RenderSettings(format: format)))
      #expect(same.image == picture.image && same.etag != picture.etag)
    }
  }

  @Test("words stand below a typed name, too, and the commitment covers them")
  func typed() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device(), settings: settings())
    try await field.tap()
    try await field.type("Zoë")
    let saved = try #require(field.view.saved)
    let answer = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    let typed = try #require(answer.typed)
    #expect(typed.inscription?.reason == "I agree to take part")
    func digest(_ value: String) -> String {
      Commitment.Opening(label: "typed signature", salt: answer.salt, value: Array(value.utf8)).digest.hex
    }
    let lines = ["Zoë", "Zoë Müller", typed.inscription?.date ?? "", "I agree to take part"]
    #expect(saved.hash == digest(lines.joined(separator: "\n")) && saved.hash != digest("Zoë"))
    #expect(try await render(saved.signatureID, bench).height == 293)
    let given = await status {
      _ = try await bench.device().saveTypedName(
        SaveTypedNameRequest(
          fieldID: field.view.fieldID, expectedVersion: field.view.version,
          name: TypedName(text: "Zoë", inscription: InkInscription(name: "Somebody else"))))
    }
    #expect(given?.code == .invalidArgument && given?.message.contains("follow from the field's settings") == true)
  }

  @Test(
    "words that cannot be read or drawn are refused when the field is made",
    arguments: [
      ("12", "", "settings.inscription.name"), ("Ada\nLovelace", "", "settings.inscription.name"),
      ("", String(repeating: "x", count: 101), "settings.inscription.reason has more than 100"),
      ("Ada \u{202E}ecalevol", "", "settings.inscription.name"), ("", "𓀀", "settings.inscription.reason.text has '𓀀'"),
    ])
  func refused(name: String, reason: String, words: String) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let refusal = await status {
      _ = try await FieldDriver.create(
        bench.device(),
        settings: settings { $0.inscription = FieldInscription(name: name, reason: reason) })
    }
    #expect(
      refusal?.code == .invalidArgument && refusal?.message.contains(words) == true, "\(String(describing: refusal))")
  }
}
