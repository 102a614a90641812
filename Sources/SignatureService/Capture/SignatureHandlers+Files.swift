internal import Ink
package import RPC
internal import ServicePolicy
package import SignatureContract

/// Imports strokes from files of other programs, and exports strokes into such files.
extension SignatureHandlers {
  package func importStrokes(
    _ request: ImportStrokesRequest, context: CallContext
  ) async throws -> ImportStrokesResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    guard request.content.count <= Self.mostFileBytes else {
      throw FieldChecks.refusal(
        "content", "has \(request.content.count) bytes", "a file has at most \(Self.mostFileBytes)")
    }
    // Refuses a caller who may not draw here before the file is read. The field's state is checked below.
    try await data.disclose(context, of: target.find) { _, _, _ in }
    let format = try Self.readable(request.format)
    let ink = try await pictures.read(request.content, as: format)
    let pieces = ink.strokes.map { CapturedPiece(beginsStroke: true, points: $0.points, pen: $0.pen) }
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let field = try FieldStore.append(pieces, target.change(.append, caller), fitting: request.fit, in: transaction)
      return ImportStrokesResponse(view: field.view, pointsTaken: Int32(clamping: ink.pointCount))
    }
  }

  package func exportStrokes(
    _ request: ExportStrokesRequest, context: CallContext
  ) async throws -> ExportStrokesResponse {
    try FieldChecks.identifier(request.signatureID, "signature_id", isRequired: true)
    let write: (Ink) throws(InkError) -> [UInt8]
    let type: String
    switch request.format {
    case .signaturePad: (write, type) = ({ $0.signaturePadJSON() }, "application/json")
    case .inkml: (write, type) = ({ $0.inkML() }, "application/inkml+xml")
    case .iso19794_7: (write, type) = ({ (ink) throws(InkError) in try ink.iso19794() }, "application/octet-stream")
    case .stored: (write, type) = ({ StrokeBlob($0).bytes }, "application/octet-stream")
    case .svc, .uim, .unspecified, .unrecognized:
      throw FieldChecks.refusal(
        "format", "is \(request.format.number)", "files are written as SIGNATURE_PAD, INKML, ISO_19794_7 or STORED",
        rule: "unknown_format")
    }
    let strokes = try await getStrokes(
      GetStrokesRequest(signature: .signatureID(request.signatureID)), context: context)
    guard strokes.typed == nil else {
      throw Refusal(
        .precondition, "typed_name", field: "signature_id", "signature_id names a typed name: it has no strokes")
    }
    guard case .strokes(let ink) = try StoredSignature.read(strokes.blob) else {
      throw Refusal(
        .precondition, "uploaded_image", field: "signature_id", "signature_id names an image: it has no strokes")
    }
    do throws(InkError) {
      return ExportStrokesResponse(content: try write(ink), mediaType: type)
    } catch {
      // The signature is not at fault, and can be exported in another format.
      throw Refusal(.precondition, "erased_strokes", field: "format", "format: \(error)")
    }
  }

  private static let mostFileBytes = 4 << 20

  private static func readable(_ format: StrokeFormat) throws(Refusal) -> InkFormat? {
    switch format {
    case .unspecified: return nil
    case .signaturePad: return .json
    case .inkml: return .inkML
    case .iso19794_7: return .iso19794
    case .svc: return .svc
    case .uim: return .universalInk
    case .stored: return .blob
    case .unrecognized(let number):
      throw FieldChecks.refusal(
        "format", "is \(number)", "this version of the contract has no such format", rule: "unknown_format")
    }
  }
}
