import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// What a field is made for goes with everything that is kept or told of it.
@Suite(.timeLimit(.minutes(2))) struct ReferenceTests {
  private let reference = FieldReference(
    subjectID: "subject-1", studyID: "study-1", siteID: "site-1", sessionID: "session-1", signatureID: "guardian",
    documentID: "consent", documentVersion: 3, recordID: "record-1")

  @Test("views, strokes and events carry what the field is made for", arguments: TestEngine.allCases)
  func carried(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.create(bench.device(), for: reference)
    try await field.tap()
    try await field.type("Anna Meyer")
    #expect(field.view.reference == reference)
    try await field.refresh()
    #expect(field.view.reference == reference)
    let listed = try await bench.device().listFields(ListFieldsRequest(sessionID: "session-1"))
    #expect(listed.views.map(\.reference) == [reference])
    let saved = try #require(field.view.saved)
    let strokes = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    #expect(strokes.reference == reference)
    let id = field.view.fieldID
    let told = try await bench.database.database.scope(.named("clinic")).read { snapshot in
      try snapshot.events(after: 0, stream: id, limit: 100).map { try FieldEvent(decoding: $0.payload) }
    }
    #expect(told.map(\.state) == [.inactive, .active, .saved])
    #expect(told.allSatisfy { $0.reference == reference })
  }

  /// Parts that cannot stand without another, and words in place of identifiers: these stay in rows and events for
  /// good.
  @Test(
    "a reference that names no place or no version, or by words, is refused",
    arguments: [
      (FieldReference(subjectID: "s", studyID: "Ada's study"), "bad_name", "reference.study_id"),
      (FieldReference(subjectID: "s", studyID: "study-1", siteID: "Dr. Ito"), "bad_name", "reference.site_id"),
      (FieldReference(subjectID: "s", sessionID: "with Ada"), "bad_name", "reference.session_id"),
      (FieldReference(subjectID: "s", signatureID: "Ada's hand"), "bad_name", "reference.signature_id"),
      (
        FieldReference(subjectID: "s", documentID: "Ada's will", documentVersion: 1), "bad_name",
        "reference.document_id"
      ),
      (FieldReference(subjectID: "s", recordID: "Ada Lovelace"), "bad_name", "reference.record_id"),
      (FieldReference(subjectID: "s", siteID: "site-1"), "study_missing", "reference.site_id"),
      (FieldReference(subjectID: "s", documentID: "consent"), "out_of_bounds", "reference.document_version"),
      (FieldReference(subjectID: "s", documentVersion: 1), "out_of_bounds", "reference.document_version"),
      (
        FieldReference(subjectID: "s", documentID: "consent", documentVersion: -1), "out_of_bounds",
        "reference.document_version"
      ),
      (
        FieldReference(subjectID: "s", recordID: String(repeating: "r", count: 129)), "too_long", "reference.record_id"
      ),
    ])
  func incomplete(reference: FieldReference, rule: String, path: String) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let refusal = try #require(await status { _ = try await FieldDriver.create(bench.device(), for: reference) })
    #expect(refusal.code == .invalidArgument)
    #expect(refusal.message.hasPrefix("\(rule): \(path) "), "\(refusal.message)")
  }
}
