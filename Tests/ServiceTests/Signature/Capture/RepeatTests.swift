import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// Methods that the contract calls idempotent, each called twice without a key.
@Suite(.timeLimit(.minutes(2))) struct RepeatTests {
  @Test("a second call answers as the first and changes nothing", arguments: TestEngine.allCases)
  func twice(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let field = try await FieldDriver.signed(bench.device())
    let signature = try #require(field.view.saved).signatureID
    let admin = SignatureServiceClient(bench.channel(.person, as: "root", grants: ["admin@*"]))

    let complete = CompleteFieldRequest(fieldID: field.view.fieldID, revision: 1, reference: field.view.reference)
    try await same { try await bench.service.completeField(complete) }
    try await same { try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(signature))) }
    for format in [StrokeFormat.signaturePad, .inkml, .iso19794_7, .stored] {
      try await same {
        try await bench.service.exportStrokes(ExportStrokesRequest(signatureID: signature, format: format))
      }
    }
    try await same {
      try await bench.service.getPicturedSignature(GetPicturedSignatureRequest(signatureID: signature))
    }
    for held in [true, false] {
      try await same {
        try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "subject-1", held: held, reason: "dispute"))
      }
    }
    let erase = EraseSignaturesRequest(subjectID: "subject-1", reason: "request")
    _ = try await admin.eraseSignatures(erase)
    // The time is that of the call; nothing else is there to differ.
    let again = try await admin.eraseSignatures(erase)
    #expect(again.erasedAt != nil)

    let events = try await bench.database.database.scope(.named("clinic")).read {
      try $0.events(after: 0, limit: 100).map(\.type)
    }
    for type in [
      "field.completed", "storage.vault.hold-placed", "storage.vault.hold-lifted", "storage.vault.erased",
    ] {
      #expect(events.count { $0 == type } == 1, "\(type): \(events)")
    }
  }

  private func same<Answer: Equatable>(
    _ call: () async throws -> Answer, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let first = try await call()
    let second = try await call()
    #expect(first == second, sourceLocation: location)
  }
}
