internal import Base
internal import Ink
package import RPC
internal import ServicePolicy
package import SignatureContract
internal import Typesetting

/// The four ways to save: a drawing, a typed name, an image, and what was saved before.
extension SignatureHandlers {
  package func saveField(_ request: SaveFieldRequest, context: CallContext) async throws -> SaveFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    let new = try revision(at: request.signingTime)
    try FieldChecks.text(request.drawnWith, "drawn_with", 0...256)
    func save(wasSeen: Bool) async throws -> SaveFieldResponse {
      try await data.once(request, context, of: target.find) { transaction, caller, _ in
        let field = try FieldStore.save(
          target.change(.save, caller), as: new, drawnWith: request.drawnWith, wasSeen: wasSeen, in: transaction)
        return SaveFieldResponse(view: field.view)
      }
    }
    do {
      return try await save(wasSeen: false)
    } catch let unsure as UnsureInk {
      // The field's version makes sure that the drawing is still the same afterwards.
      guard try await pictures.sees(unsure.ink, in: unsure.field) else { throw InkSight.nothing(in: "field_id") }
      return try await save(wasSeen: true)
    }
  }

  package func saveTypedName(
    _ request: SaveTypedNameRequest, context: CallContext
  ) async throws -> SaveTypedNameResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    let checked = try FieldChecks.typed(request.name)
    guard request.name?.inscription == nil else {
      throw FieldChecks.refusal(
        "name.inscription", "is given", "words below a saved name follow from the field's settings", rule: "given_twice"
      )
    }
    let new = try revision(at: request.signingTime)
    // A name that no font can draw would never have a picture, so it is drawn once before it is saved.
    let faces: [SignatureContract.NameFace]
    do {
      faces = try await pictures.picture(of: .typed(checked.text, checked.font), RenderOptions()).faces
    } catch let error as TypesettingError {
      throw error.refusal(of: "name")
    }
    let name = TypedName(checked)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let change = target.change(.saveTyped, caller)
      try FieldStore.checkInitials(checked.text.text, of: change.fieldID, in: transaction)
      let field = try FieldStore.saveTyped(name, change, as: new, in: transaction)
      return SaveTypedNameResponse(view: field.view, faces: faces)
    }
  }

  package func saveUploadedImage(
    _ request: SaveUploadedImageRequest, context: CallContext
  ) async throws -> SaveUploadedImageResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    let new = try revision(at: request.signingTime)
    guard (1...UploadedImage.mostBytes).contains(request.content.count) else {
      throw FieldChecks.refusal(
        "content", "has \(request.content.count) bytes", "an image has 1 to \(UploadedImage.mostBytes)")
    }
    // Refuses a caller who may not sign here before the image is read. The field's state is checked again below.
    try await data.disclose(context, of: target.find) { snapshot, _, _ in
      try FieldStore.checkOffered(.saveUploaded, in: target.fieldID, snapshot)
    }
    let shapes = try await pictures.shapes(ofImage: request.content)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let field = try FieldStore.saveUploaded(
        shapes, target.change(.saveUploaded, caller), as: new, in: transaction)
      return SaveUploadedImageResponse(view: field.view)
    }
  }

  package func reuseSignature(
    _ request: ReuseSignatureRequest, context: CallContext
  ) async throws -> ReuseSignatureResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    try FieldChecks.identifier(request.signatureID, "signature_id", isRequired: true)
    let new = try revision(at: request.signingTime)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let field = try FieldStore.reuse(
        request.signatureID, target.change(.reuse, caller), as: new, in: transaction)
      return ReuseSignatureResponse(view: field.view)
    }
  }

  private func revision(at time: SigningTime?) throws -> NewRevision {
    NewRevision(id: identifiers.next(), time: try FieldChecks.signingTime(time))
  }
}
