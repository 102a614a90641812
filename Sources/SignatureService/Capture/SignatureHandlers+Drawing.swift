package import Bus
package import SignatureContract
internal import Wire

/// Strokes coming in while they are drawn, and going out to those who watch.
extension SignatureHandlers {
  package func appendStrokes(
    _ requests: RequestStream<AppendStrokesRequest>, context: CallContext
  ) async throws -> AppendStrokesResponse {
    var drawing: (field: String, version: Int64)?
    var view: FieldView?
    var pointsTaken = 0
    for try await request in requests {
      let (field, version) = drawing ?? (request.fieldID, request.expectedVersion)
      try FieldChecks.version(version)
      guard request.fieldID.isEmpty || request.fieldID == field else {
        throw FieldChecks.refusal("field_id", "changes within the stream", "one stream draws in one field")
      }
      let pieces = try Self.pieces(of: request)
      if pieces.isEmpty, drawing != nil { continue }
      do {
        let wanted = FieldStore.Wanted(.append, field, version: version, request: nil)
        let next = try await store.append(pieces, to: wanted, for: context)
        drawing = (field, next.version)
        view = next
        pointsTaken += pieces.reduce(0) { $0 + $1.points.count }
      } catch let conflict as Status where conflict.code == .aborted && pointsTaken > 0 {
        throw try Self.conflict(conflict, pointsTaken: pointsTaken)
      }
    }
    guard let view else { throw Status(.invalidArgument, "the stream is empty; its first message names the field") }
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

  /// Tells a drawer who was overtaken how much of the stream is in the field.
  private static func conflict(_ status: Status, pointsTaken: Int) throws -> Status {
    guard let detail = status.details.first, let current = try FieldConflict(decoding: detail.value).current else {
      return status
    }
    let expected = try FieldConflict(decoding: detail.value).expectedVersion
    return FieldStore.conflict(expected: expected, current, pointsTaken: pointsTaken)
  }

  package func watchField(
    _ request: WatchFieldRequest, context: CallContext, responses: ResponseWriter<WatchFieldResponse>
  ) async throws {
    guard request.afterVersion >= 0 else {
      throw FieldChecks.refusal(
        "after_version", "is \(request.afterVersion)", "state the version of the last view received, or 0")
    }
    var watch = try await store.watch(request.fieldID, after: request.afterVersion, for: context)
    while let change = try await watch.next() { try await responses.send(change) }
    throw Status(.unavailable, "this process ends; resume from the version of the last view")
  }
}
