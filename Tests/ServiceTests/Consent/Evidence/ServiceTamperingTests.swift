import ConsentContract
import SignatureContract
import Storage
import StorageTestKit
import Testing

/// Changes rows of the services' real tables by hand, one way after the other, and wants each found by name.
@Suite(.serialized) struct ServiceTamperingTests {
  @Test("every tampering with consent's and signature's rows is found and named", arguments: TestEngine.allCases)
  func all(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let consent = ConsentTamperings(names: names, engine: engine).list
    let signature = SignatureTamperings(
      names: names, drawn: try await world.saved(in: names.drawnField),
      typed: try await world.saved(in: names.typedField), engine: engine
    ).list
    let all = (consent + signature).map(\.name)
    #expect(all.count >= 75 && Set(all).count == all.count)
    for (test, key, list) in [
      (world.consent.test, EvidenceWorld.consentKey, consent), (world.capture, EvidenceWorld.captureKey, signature),
    ] {
      let bench = try await TamperBench(
        test, heads: try await world.heads(of: test), trusting: [key.verifyingKey])
      #expect(try await bench.problems(after: "SELECT 1") == [], "what was not touched is well")
      for missed in try await bench.unnamed(list) { Issue.record("\(missed)") }
      try await bench.end()
    }
    await world.end()
  }
}

extension EvidenceWorld {
  /// The identifier of the signature that is saved in a field.
  func saved(in field: String) async throws -> String {
    try #require(try await service.getField(GetFieldRequest(fieldID: field)).view?.saved?.signatureID)
  }
}
