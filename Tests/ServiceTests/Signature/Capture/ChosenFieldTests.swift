import Base
import RPC
import ServicePolicy
import SignatureContract
import StorageTestKit
import Testing

@Suite("Fields under identifiers that a device chose") struct ChosenFieldTests {
  @Test("is made once, and drawn in by the versions that a device without a connection foresees")
  func made() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let id = IdentifierSource().next()
    let reference = FieldReference(subjectID: "s1")
    let person = bench.signer("s1", at: "tablet")
    let settings = FieldSettings(header: "Participant")
    let request = CreateFieldRequest(reference: reference, settings: settings, fieldID: id)
    let options = CallOptions(idempotencyKey: .given("sync/tablet/i1"))
    for _ in 0..<2 {
      let view = try await person.createField(request, options: options).view
      #expect(view?.fieldID == id && view?.version == 1)
    }
    for other in [person, bench.device()] {
      await #expect { _ = try await other.createField(request) } throws: { error in
        (error as? Status)?.rule == "field_exists" && (error as? Status)?.code == .alreadyExists
      }
    }
    let unfit = CreateFieldRequest(reference: reference, settings: settings, fieldID: "mine")
    await #expect { _ = try await person.createField(unfit) } throws: { error in
      (error as? Status)?.rule == "bad_identifier"
    }
    #expect(try await person.tapField(TapFieldRequest(fieldID: id, expectedVersion: 1)).view?.version == 2)
    let typed = SaveTypedNameRequest(
      fieldID: id, expectedVersion: 2, name: TypedName(text: "Ada Lovelace", font: "plain"))
    #expect(try await person.saveTypedName(typed).view?.version == 3)
  }
}
