internal import Ink
package import RPC
internal import ServicePolicy
package import SignatureContract

/// The handlers of RenderService.
package struct RenderHandlers: RenderServiceProtocol {
  private let maker: PictureMaker
  private let saved: any SavedSignatures
  private let batchWidth: Int

  /// - Parameter batchWidth: how many pictures of one batch are drawn at a time.
  package init(maker: PictureMaker, saved: any SavedSignatures, batchWidth: Int) {
    self.maker = maker
    self.saved = saved
    self.batchWidth = batchWidth
  }

  package func render(_ request: RenderRequest, context: CallContext) async throws -> RenderResponse {
    let options = try RenderOptions(request.settings)
    let subject = try await subject(of: request, context)
    return try await maker.picture(of: subject, options, knownTag: request.ifNoneMatch)
  }

  package func renderBatch(
    _ requests: RequestStream<RenderBatchRequest>, context: CallContext,
    responses: ResponseWriter<RenderBatchResponse>
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var inWork = 0
      for try await request in requests {
        try FieldChecks.identifier(request.id, "id")
        if inWork == batchWidth {
          try await group.next()
          inWork -= 1
        }
        inWork += 1
        group.addTask { try await responses.send(try await outcome(of: request, context)) }
      }
      try await group.waitForAll()
    }
  }

  /// The response for one picture of a batch. Its failure does not end the batch, but is a response, too.
  private func outcome(of request: RenderBatchRequest, _ context: CallContext) async throws -> RenderBatchResponse {
    guard let wanted = request.render else {
      return failure(of: request.id, FieldChecks.missing("render").status)
    }
    do {
      let picture = try await render(wanted, context: context)
      return RenderBatchResponse(id: request.id, outcome: .picture(picture))
    } catch let error as any StatusConvertible {
      return failure(of: request.id, error.status)
    }
  }

  private func failure(of id: String, _ status: Status) -> RenderBatchResponse {
    let failure = RenderFailure(code: Int32(status.code.rawValue), message: status.message)
    return RenderBatchResponse(id: id, outcome: .failure(failure))
  }

  private func subject(of request: RenderRequest, _ context: CallContext) async throws -> PictureMaker.Subject {
    switch request.source {
    case .signatureID: break
    default: _ = try context.admittedToRequest()
    }
    switch request.source {
    case .drawing(let drawing): return .drawing(drawing)
    case .blob(let bytes): return .blob(bytes)
    case .typed(let name): return try PictureMaker.Subject(name)
    case .signatureID(let id):
      try FieldChecks.identifier(id, "signature_id", isRequired: true)
      return try await saved.content(of: id, for: context)
    case nil:
      throw Refusal(
        .invalid, "missing", field: "source", "source is missing; give drawing, blob, signature_id or typed")
    }
  }
}
