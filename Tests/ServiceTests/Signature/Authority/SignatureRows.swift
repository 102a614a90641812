import AuthorityKit
import Bus
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import Wire

/// A person's field, and everything that a call can name about it.
struct FieldTarget: Sendable {
  var tenant = "t1"
  let study: String
  let site: String
  let subject: String
  /// The key of the device that made it.
  let device: String
  var view = FieldView()

  var reference: FieldReference { view.reference ?? FieldReference() }
  var signature: String { view.saved?.signatureID ?? "" }
  /// What no answer to somebody of another tenant may have.
  var marks: [String] { [view.fieldID, signature] }

  static let places = [
    FieldTarget(study: "heart", site: "north", subject: "bea", device: "pad-bea"),
    FieldTarget(study: "heart", site: "south", subject: "ben", device: "pad-ben"),
    FieldTarget(study: "lung", site: "west", subject: "lea", device: "pad-lea"),
    FieldTarget(tenant: "t2", study: "heart", site: "north", subject: "tea", device: "pad-bea"),
  ]
}

/// One way to call a method: what the call is about, and the call itself. Calls that would change something are made so
/// that they fail for another reason once they are admitted.
struct SignatureRow: Sendable {
  let method: String
  let thing: @Sendable (FieldTarget) -> Thing
  let call: @Sendable (BusChannel, FieldTarget) async throws -> any Message

  private init(
    _ method: String, _ thing: @escaping @Sendable (FieldTarget) -> Thing,
    _ call: @escaping @Sendable (BusChannel, FieldTarget) async throws -> any Message
  ) {
    (self.method, self.thing, self.call) = (method, thing, call)
  }

  /// A call on the target's field.
  private init(
    _ method: String,
    _ call: @escaping @Sendable (SignatureServiceClient, FieldTarget) async throws -> any Message
  ) {
    self.init(
      "SignatureService/\(method)",
      { target in
        var thing = Thing(study: .one(target.study), site: .one(target.site), subject: target.subject)
        thing.holder = target.device
        return thing
      }, { try await call(SignatureServiceClient($0), $1) })
  }

  private static let never: Int64 = 99

  static let all: [SignatureRow] = fields + pictures + papers

  private static let fields: [SignatureRow] = [
    SignatureRow("SignatureService/CreateField") { target in
      var thing = Thing(study: .one(target.study), site: .one(target.site), subject: target.subject)
      thing.isNew = true
      return thing
    } _: { channel, target in
      var reference = target.reference
      reference.sessionID = "another"
      return try await SignatureServiceClient(channel).createField(
        CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Sign")))
    },
    SignatureRow("GetField") { try await $0.getField(GetFieldRequest(fieldID: $1.view.fieldID)) },
    SignatureRow("ListFields") { client, target in
      try await client.listFields(ListFieldsRequest(sessionID: target.reference.sessionID))
    },
    SignatureRow("TapField") {
      try await $0.tapField(TapFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("AppendStrokes") { client, target in
      let call = client.appendStrokes()
      let request = AppendStrokesRequest(
        fieldID: target.view.fieldID, expectedVersion: never,
        pieces: [StrokePiece(beginsStroke: true, x: [1, 2], y: [1, 2], timeMs: [0, 1])])
      // A stream that was refused accepts nothing; its outcome says why.
      do { try await call.requests.send(request) } catch {}
      return try await call.finish().message
    },
    SignatureRow("ClearField") {
      try await $0.clearField(ClearFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("UndoStroke") {
      try await $0.undoStroke(UndoStrokeRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("ResizeField") {
      try await $0.resizeField(
        ResizeFieldRequest(
          fieldID: $1.view.fieldID, expectedVersion: never, canvas: InkCanvas(width: 300, height: 150)))
    },
    SignatureRow("LendField") {
      try await $0.lendField(LendFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("ImportStrokes") {
      try await $0.importStrokes(
        ImportStrokesRequest(
          fieldID: $1.view.fieldID, expectedVersion: never, content: Array("[[1,2,0.5],[3,4,0.5]]".utf8)))
    },
    SignatureRow("ExportStrokes") {
      try await $0.exportStrokes(ExportStrokesRequest(signatureID: $1.signature, format: .inkml))
    },
    SignatureRow("SaveField") {
      try await $0.saveField(SaveFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("CancelField") {
      try await $0.cancelField(CancelFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("ReEnterField") {
      try await $0.reEnterField(ReEnterFieldRequest(fieldID: $1.view.fieldID, expectedVersion: never))
    },
    SignatureRow("SaveTypedName") {
      try await $0.saveTypedName(
        SaveTypedNameRequest(fieldID: $1.view.fieldID, expectedVersion: never, name: TypedName(text: "Ada")))
    },
    SignatureRow("SaveUploadedImage") {
      try await $0.saveUploadedImage(
        SaveUploadedImageRequest(fieldID: $1.view.fieldID, expectedVersion: never, content: [0]))
    },
    SignatureRow("ReuseSignature") {
      try await $0.reuseSignature(
        ReuseSignatureRequest(fieldID: $1.view.fieldID, expectedVersion: never, signatureID: $1.signature))
    },
    SignatureRow("CompleteField") {
      try await $0.completeField(
        CompleteFieldRequest(fieldID: $1.view.fieldID, revision: 99, reference: $1.reference))
    },
    SignatureRow("ListRevisions") { try await $0.listRevisions(ListRevisionsRequest(fieldID: $1.view.fieldID)) },
    SignatureRow("GetStrokes") { try await $0.getStrokes(GetStrokesRequest(signature: .signatureID($1.signature))) },
    SignatureRow("GetPicturedSignature") {
      try await $0.getPicturedSignature(GetPicturedSignatureRequest(signatureID: $1.signature))
    },
    SignatureRow("GetFieldEvidence") {
      try await $0.getFieldEvidence(GetFieldEvidenceRequest(fieldIDs: [$1.view.fieldID]))
    },
    SignatureRow("SignatureService/ListSignatureHeads") { _ in
      Thing()
    } _: { channel, _ in
      try await SignatureServiceClient(channel).listSignatureHeads(ListSignatureHeadsRequest(pageSize: 1))
    },
    SignatureRow("SignatureService/GetSignatureFindings") { _ in
      Thing()
    } _: { channel, _ in
      try await SignatureServiceClient(channel).getSignatureFindings(GetSignatureFindingsRequest())
    },
    SignatureRow("WatchField") { client, target in
      let stream = try client.watchField(WatchFieldRequest(fieldID: target.view.fieldID), deadline: .seconds(20))
      defer { stream.cancel() }
      for try await change in stream { return change }
      return WatchFieldResponse()
    },
    SignatureRow("SignatureService/ListSignatureTrail") {
      Thing(study: .one($0.study), site: .every)
    } _: {
      try await SignatureServiceClient($0).listSignatureTrail(
        ListSignatureTrailRequest(studyID: $1.study, pageSize: 1))
    },
    SignatureRow("SignatureService/EraseSignatures") { _ in
      Thing(study: .every, site: .every)
    } _: { channel, _ in
      try await SignatureServiceClient(channel).eraseSignatures(
        EraseSignaturesRequest(subjectID: "unknown", reason: "request"))
    },
    SignatureRow("SignatureService/NoteMergedSigner") { _ in
      Thing(study: .every, site: .every)
    } _: { channel, _ in
      try await SignatureServiceClient(channel).noteMergedSigner(
        NoteMergedSignerRequest(endedID: "no name", stayingID: "none"))
    },
    SignatureRow("SignatureService/HoldSignatures") { _ in
      Thing(study: .every, site: .every)
    } _: { channel, _ in
      try await SignatureServiceClient(channel).holdSignatures(
        HoldSignaturesRequest(subjectID: "no name", held: true, reason: "dispute"))
    },
  ]

  private static let pictures: [SignatureRow] = [
    SignatureRow("RenderService/Render", saved) { channel, target in
      try await RenderServiceClient(channel).render(RenderRequest(source: .signatureID(target.signature)))
    },
    SignatureRow("RenderService/Render", brought) { channel, _ in
      try await RenderServiceClient(channel).render(RenderRequest(source: .blob([0])))
    },
    SignatureRow("RenderService/RenderBatch", saved) { channel, target in
      try await batch(RenderRequest(source: .signatureID(target.signature)), channel)
    },
    SignatureRow("RenderService/RenderBatch", brought) { channel, _ in
      try await batch(RenderRequest(source: .blob([0])), channel)
    },
  ]

  private static let papers: [SignatureRow] = [
    SignatureRow("PaperService/ComposeDocument", brought) { channel, _ in
      try await PaperServiceClient(channel).composeDocument(ComposeDocumentRequest())
    },
    SignatureRow("PaperService/VerifyDocument", brought) { channel, _ in
      try await PaperServiceClient(channel).verifyDocument(VerifyDocumentRequest(content: [0]))
    },
    SignatureRow("SealService/SealDocument", brought) { channel, _ in
      try await SealServiceClient(channel).sealDocument(SealDocumentRequest(digest: [0]))
    },
    SignatureRow("SealService/AddSealTime", brought) { channel, _ in
      try await SealServiceClient(channel).addSealTime(AddSealTimeRequest())
    },
    SignatureRow("SealService/AttestDocument", brought) { channel, _ in
      try await SealServiceClient(channel).attestDocument(AttestDocumentRequest(digest: [0]))
    },
    SignatureRow("SealService/GetSealCertificate", brought) { channel, _ in
      try await SealServiceClient(channel).getSealCertificate(GetSealCertificateRequest())
    },
    SignatureRow("SealService/FindSealProofs", brought) { channel, _ in
      try await SealServiceClient(channel).findSealProofs(FindSealProofsRequest())
    },
  ]

  @Sendable private static func saved(_ target: FieldTarget) -> Thing {
    var thing = Thing(study: .one(target.study), site: .one(target.site), subject: target.subject)
    thing.holder = target.device
    return thing
  }

  /// A drawing that comes with the request.
  @Sendable private static func brought(_ target: FieldTarget) -> Thing {
    var thing = Thing()
    thing.isRequest = true
    return thing
  }

  /// The one picture of a batch; its failure as a call's.
  private static func batch(_ request: RenderRequest, _ channel: BusChannel) async throws -> any Message {
    let call = RenderServiceClient(channel).renderBatch(deadline: .seconds(20))
    do { try await call.requests.send(RenderBatchRequest(id: "one", render: request)) } catch {}
    call.requests.finish()
    var answer = RenderBatchResponse()
    for try await response in call.responses { answer = response }
    guard case .failure(let failure)? = answer.outcome else { return answer }
    throw Status(StatusCode(rawValue: UInt8(clamping: failure.code)) ?? .unknown, failure.message)
  }
}
