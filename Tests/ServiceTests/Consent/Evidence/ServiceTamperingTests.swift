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
    let reverted = try await world.reverting(names.withdrawn)
    let consent = ConsentTamperings(names: names, engine: engine).list + [reverted]
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
  /// A withdrawal that is undone by an added event, which fits.
  fileprivate func reverting(_ record: ConsentRecord) async throws -> Tampering {
    let (test, tenant, id) = (consent.test, Tenant.named("t1"), record.recordID)
    let events = try await test.database.scope(tenant).read { try $0.events(after: 0, limit: 10_000) }
    let event = events.last { $0.committedRows.contains { $0.table == "records" && $0.key == id } }
    let sql = try await test.forging(
      "UPDATE records SET state = 2 WHERE id = '\(id)'", of: "records", [.text(id)], like: event,
      code: .copied, tenant)
    return Tampering("withdrawal reverted, with an event that fits", sql, "is not one that the service wrote")
  }

  /// The identifier of the signature that is saved in a field.
  func saved(in field: String) async throws -> String {
    try #require(try await service.getField(GetFieldRequest(fieldID: field)).view?.saved?.signatureID)
  }
}
