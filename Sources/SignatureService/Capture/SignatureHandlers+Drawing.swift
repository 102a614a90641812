package import RPC
internal import ServicePolicy
package import SignatureContract
internal import Storage

/// Takes strokes while they are drawn, and passes them on to watchers.
extension SignatureHandlers {
  package func appendStrokes(
    _ requests: RequestStream<AppendStrokesRequest>, context: CallContext
  ) async throws -> AppendStrokesResponse {
    var drawing: (field: String, version: Int64)?
    var view: FieldView?
    var pointsTaken = 0
    for try await request in requests {
      let (field, version) = drawing ?? (request.fieldID, request.expectedVersion)
      let target = try Target(field, version)
      guard request.fieldID.isEmpty || request.fieldID == field else {
        throw FieldChecks.refusal(
          "field_id", "changes within the stream", "one stream draws in one field", rule: "field_differs")
      }
      let pieces = try Self.pieces(of: request)
      if pieces.isEmpty, drawing != nil { continue }
      do {
        let append: @Sendable (Transaction, Caller, HeldField) throws -> AppendStrokesResponse = {
          transaction, caller, _ in
          let next = try FieldStore.append(pieces, target.change(.append, caller), in: transaction)
          let count = pieces.reduce(0) { $0 + $1.points.count }
          return AppendStrokesResponse(view: next.view, pointsTaken: Int32(clamping: count))
        }
        // The idempotency key covers only the first message of the stream, which is all that an offline queue's item
        // has. A repeat of a later message is refused by the field's version.
        let taken =
          drawing == nil
          ? try await data.once(request, context, of: target.find, append)
          : try await data.change(context, of: target.find, append)
        drawing = (field, taken.view?.version ?? version)
        view = taken.view
        pointsTaken += Int(taken.pointsTaken)
      } catch var overtaken as FieldOvertaken {
        overtaken.pointsTaken = pointsTaken
        throw overtaken
      }
    }
    guard let view else {
      throw Refusal(.invalid, "missing", "the stream is empty; its first message names the field")
    }
    return AppendStrokesResponse(view: view, pointsTaken: Int32(clamping: pointsTaken))
  }

  private static func pieces(of request: AppendStrokesRequest) throws -> [CapturedPiece] {
    var pieces: [CapturedPiece] = []
    for (index, piece) in request.pieces.enumerated() {
      pieces.append(try CapturedPiece(piece, at: "pieces[\(index)]"))
    }
    let count = pieces.reduce(0) { $0 + $1.points.count }
    guard count <= mostPointsPerMessage else {
      throw FieldChecks.refusal(
        "pieces", "have \(count) points", "one message brings at most \(mostPointsPerMessage); send more messages")
    }
    return pieces
  }

  private static let mostPointsPerMessage = 20_000

  package func watchField(
    _ request: WatchFieldRequest, context: CallContext, responses: ResponseWriter<WatchFieldResponse>
  ) async throws {
    try FieldChecks.identifier(request.fieldID, "field_id", isRequired: true)
    guard request.afterVersion >= 0 else {
      throw FieldChecks.refusal(
        "after_version", "is \(request.afterVersion)", "state the version of the last view received, or 0")
    }
    // Subscribes before the first reading, so that no commit in between is missed.
    var commits = data.commits(context)
    var seen = WatchPosition(version: request.afterVersion)
    while true {
      let unseen = try await data.disclose(context, of: FieldStore.named(request.fieldID)) {
        [seen] snapshot, field, disclosure in
        let unseen = try FieldStore.unseenChanges(of: request.fieldID, since: seen, in: snapshot)
        if unseen != nil {
          disclosure.noteLook(at: "field/\(request.fieldID)", of: field.target, for: "field, as it is drawn")
        }
        return unseen
      }
      if let unseen {
        seen = unseen.position
        var change = WatchFieldResponse()
        (change.view, change.reset, change.pieces) = (unseen.field.view, unseen.isReset, unseen.pieces)
        try await responses.send(change)
      } else {
        try await commits.next(resume: "resume from the version of the last view")
      }
    }
  }
}
