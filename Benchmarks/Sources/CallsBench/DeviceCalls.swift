import Bus
import ConsentContract
import ConsentLoad
import Ink
import InkSamples
import RPC
import SignatureContract
import Wire

/// What a device asks for.
struct DeviceCalls: Sendable {
  let channel: BusChannel
  private var sessions: SessionServiceClient { SessionServiceClient(channel) }
  private var fields: SignatureServiceClient { SignatureServiceClient(channel) }

  /// Begins the walk of somebody new.
  static let start = StartSessionRequest(flowID: WalkedFlow.flowID, locale: "en", clientSchema: 2)
  private static let strokes = StrokeBlob(SampleSignature.reference.ink).bytes

  static func check(_ number: Int) -> CheckConsentRequest {
    CheckConsentRequest(studyID: WalkedFlow.study, subjectID: "checked-\(number)", purpose: WalkedFlow.purpose)
  }

  /// A picture that nobody has asked for with another number: caches have none of them.
  static func picture(_ number: Int) -> RenderRequest {
    RenderRequest(source: .blob(strokes), settings: RenderSettings(scale: 1 + Double(number) / 1e9))
  }

  func startedSession() async throws -> SessionView {
    guard let session = try await sessions.startSession(Self.start).session else {
      throw CallsFailure("a session has no view")
    }
    return session
  }

  /// From the first screen over those of five sections to the question.
  func steps(of session: SessionView) -> [ActOnSessionRequest] {
    (0..<6).map { step in
      ActOnSessionRequest(
        sessionID: session.sessionID, expectedVersion: session.version + Int32(step), action: FlowAction(kind: .next),
        clientSchema: 2)
    }
  }

  /// A field in which somebody has drawn.
  func drawnField() async throws -> FieldView { try await drawn(try await tapped(try await createdField())) }

  func createdField() async throws -> FieldView {
    let reference = FieldReference(subjectID: "signer-\(Self.signers.next())")
    let request = CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Signature", required: true))
    return try view(try await fields.createField(request).view)
  }

  func tapped(_ field: FieldView) async throws -> FieldView {
    try view(
      try await fields.tapField(TapFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)).view)
  }

  func drawn(_ field: FieldView) async throws -> FieldView {
    let request = ImportStrokesRequest(
      fieldID: field.fieldID, expectedVersion: field.version, content: Self.strokes, format: .stored, fit: true)
    return try view(try await fields.importStrokes(request).view)
  }

  func saving(_ field: FieldView) -> SaveFieldRequest {
    SaveFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)
  }

  func savedField() async throws -> FieldView {
    try view(try await fields.saveField(saving(try await drawnField())).view)
  }

  func getting(_ field: FieldView) -> GetFieldRequest { GetFieldRequest(fieldID: field.fieldID) }

  /// Sends a request, whose answer is not looked into.
  @discardableResult
  func send(_ method: MethodDescriptor, _ message: some Message) async throws -> [UInt8] {
    try await send(method, try message.encoded())
  }

  func send(_ method: MethodDescriptor, _ request: [UInt8]) async throws -> [UInt8] {
    try await channel.unary(method, request, options: CallOptions()).message
  }

  private static let signers = Counter()

  private func view(_ view: FieldView?) throws -> FieldView {
    guard let view else { throw CallsFailure("a field has no view") }
    return view
  }
}
