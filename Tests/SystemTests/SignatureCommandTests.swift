import Base
import Bus
import RPC
import ServiceKit
import SignatureContract
import TestSupport
import Testing

/// `assent signature` with a real gateway and a real SignatureService.
@Suite(.serialized) struct SignatureCommandTests {
  private struct Place {
    let system: TestSystem
    let connection: BusConnection

    func client(_ kind: CallerKind, _ name: String) -> SignatureServiceClient {
      SignatureServiceClient(
        connection.channel.acting(for: CallerIdentity(kind: kind, tenant: "main", subject: name, device: name)))
    }

    func run(_ words: String...) async throws -> (exit: ProcessExit, lines: [String], log: [String]) {
      let program = try await RunningProgram.start(
        "assent", ["signature"] + words + ["--bus-folder", system.busFolder])
      let exit = await program.wait()
      return (exit, program.lines, program.logLines)
    }
  }

  private func open() async throws -> Place {
    let system = try await TestSystem.start()
    let keyFile = system.folder.file("master.key")
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: keyFile, mode: 0o600)
    _ = try await system.startWorker(
      "SignatureService", ["--data", system.folder.file("data"), "--master-key-file", keyFile])
    return Place(system: system, connection: try await system.connect())
  }

  private func field(_ client: SignatureServiceClient) async throws -> String {
    let reference = FieldReference(subjectID: "ada", studyID: "heart", sessionID: "one", signatureID: "participant")
    let settings = FieldSettings(header: "Participant", required: true)
    let answer = try await client.createField(
      CreateFieldRequest(reference: reference, settings: settings), deadline: .seconds(30),
      options: CallOptions(waitsForReady: true))
    return try #require(answer.view?.fieldID)
  }

  @Test("a file is drawn and saved, exported in every format, and each export is drawn again")
  func roundTrip() async throws {
    let place = try await open()
    let client = place.client(.device, "tablet")
    let strokes = place.system.folder.file("strokes.json")
    try Files.write(
      Array(#"[{"points":[{"x":10,"y":20,"time":0},{"x":40,"y":30,"time":16},{"x":90,"y":10,"time":32}]}]"#.utf8),
      to: strokes)
    let drawn = try await field(client)
    let first = try await place.run("import", drawn, strokes, "--device", "tablet", "--save")
    #expect(first.exit == .code(0), "\(first.log)")
    #expect(first.lines.first?.contains("1 strokes, 3 points, 0 outside") == true)
    let signature = try #require(first.lines.last?.split(separator: " ").last.map(String.init))
    for format in ["signature-pad", "inkml", "iso-19794-7", "stored"] {
      let file = place.system.folder.file("out.\(format)")
      let exported = try await place.run("export", signature, "--format", format, "--output", file)
      #expect(exported.exit == .code(0) && exported.lines.first?.hasPrefix("✓ \(file)") == true, "\(exported.log)")
      let other = try await field(client)
      let again = try await place.run("import", other, file, "--device", "tablet", "--fit")
      #expect(again.lines.first?.contains("1 strokes, 3 points") == true, "\(format): \(again.log)")
    }
    let person = try await field(place.client(.person, "ada"))
    let wacom = try await place.run(
      "import", person, Repository.path("Tests/Fixtures/ink/wacom.uim"), "--signer", "ada", "--fit")
    #expect(wacom.exit == .code(0) && wacom.lines.first?.contains("points") == true, "\(wacom.log)")
    try await place.connection.close()
  }

  @Test("what cannot be done is said in one line")
  func refusals() async throws {
    let place = try await open()
    let field = try await field(place.client(.device, "tablet"))
    let file = place.system.folder.file("strokes.json")
    try Files.write(Array("GIF89a".utf8), to: file)
    let nobody = try await place.run("import", field, file)
    #expect(nobody.exit == .code(1) && nobody.log.joined().contains("give --signer"), "\(nobody.log)")
    let other = try await place.run("import", field, file, "--device", "phone")
    #expect(other.exit == .code(1) && other.log.joined().contains("PERMISSION_DENIED"), "\(other.log)")
    let garbage = try await place.run("import", field, file, "--device", "tablet")
    #expect(garbage.log.joined().contains("unknown format"), "\(garbage.log)")
    let missing = try await place.run("export", "nothing")
    #expect(missing.log.joined().contains("signature 'nothing'"), "\(missing.log)")
    try await place.connection.close()
  }
}
