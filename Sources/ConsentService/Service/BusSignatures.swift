internal import Base
package import Bus
internal import CommonContract
package import ConsentContract
package import ConsentDomain
internal import RPC
package import ServicePolicy
internal import SignatureContract
package import Storage
internal import Wire

/// SignatureService, over the bus. ConsentService decides itself whether a field may be used, so it calls as a service,
/// for the tenant.
package struct BusSignatures: SignatureFields {
  private let channel: BusChannel

  package init(_ channel: BusChannel) {
    self.channel = channel
  }

  package func savedField(_ fieldID: String, tenant: Tenant) async throws -> SavedField? {
    guard let view = try await view(of: fieldID, tenant: tenant) else { return nil }
    var typedText: String?
    if let saved = view.saved, saved.kind == .typed,
      case .typed(let name) = try await content(ofSaved: saved.signatureID, hash: saved.hash, tenant: tenant)
    {
      typedText = name.text
    }
    return SavedField(
      fieldID: fieldID, place: SignaturePlace(view.reference ?? FieldReference()), isClosed: view.completed,
      revision: view.saved?.revision ?? 0, savedSignatureID: view.saved?.signatureID ?? "",
      hash: view.saved?.hash ?? "", typedText: typedText, origin: SignatureOrigin(view),
      words: WordsBelow(name: view.inscription?.name ?? "", reason: view.inscription?.reason ?? ""))
  }

  private func view(of fieldID: String, tenant: Tenant) async throws -> FieldView? {
    let client = SignatureServiceClient(acting(for: tenant))
    do {
      return try await client.getField(GetFieldRequest(fieldID: fieldID)).view
    } catch let status where status.code == .notFound {
      return nil
    }
  }

  package func close(
    _ fieldID: String, with revision: Int32, madeFor place: SignaturePlace, tenant: Tenant
  ) async throws {
    let request = CompleteFieldRequest(fieldID: fieldID, revision: revision, reference: FieldReference(place))
    do {
      _ = try await SignatureServiceClient(acting(for: tenant)).completeField(request)
    } catch let status where status.isRefusal(by: "subject_erased") {
      // The field's subject was erased: it can be neither read nor changed any more.
    }
  }

  package func picture(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> [UInt8] {
    let (content, settings) = try await read(signatureID, hash: hash, tenant: tenant)
    return switch content {
    case .typed(let name): try await render(.typed(name), as: settings, over: acting(for: tenant))
    case .drawn(let blob): try await render(.blob(blob), as: settings, over: acting(for: tenant))
    }
  }

  /// The content of a saved signature.
  enum SavedContent: Sendable {
    case typed(TypedName)
    case drawn([UInt8])
  }

  /// The content of a saved signature; throws if it does not have this hash.
  func content(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> SavedContent {
    try await read(signatureID, hash: hash, tenant: tenant).content
  }

  /// The same with the settings by which the signature's field wants it drawn.
  private func read(
    _ signatureID: String, hash: String, tenant: Tenant
  ) async throws -> (content: SavedContent, settings: RenderSettings) {
    let answer = try await SignatureServiceClient(acting(for: tenant)).getStrokes(
      GetStrokesRequest(signature: .signatureID(signatureID)))
    let isRight: Bool
    let content: SavedContent
    if let typed = answer.typed {
      let opening = Commitment.Opening(label: "typed signature", salt: answer.salt, value: typed.committed)
      (isRight, content) = (opening.digest.hex == hash, .typed(typed))
    } else {
      let value = Digest(of: answer.blob).bytes
      let opening = Commitment.Opening(label: "drawn signature", salt: answer.salt, value: value)
      (isRight, content) = (opening.digest.hex == hash, .drawn(answer.blob))
    }
    guard isRight else {
      throw Status(.dataLoss, rule: "data_corrupt", "signature '\(signatureID)' is not what was signed with")
    }
    return (content, answer.settings ?? RenderSettings())
  }

  package func problem(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> Refusal? {
    do {
      try await tryDrawing(TypedName(text: typed.text, font: typed.font), tenant: tenant)
      return nil
    } catch let status as Status where status.code == .invalidArgument || status.code == .failedPrecondition {
      let info = status.details.first { $0.typeName == ErrorInfo.messageName }
        .flatMap { try? ErrorInfo(decoding: $0.value) }
      guard let info else { throw status }
      let kind: Refusal.Kind = status.code == .invalidArgument ? .invalid : .precondition
      return Refusal(kind, info.rule, field: "signature.typed.text", "signature.\(info.message)")
    }
  }

  /// Draws a name as small as can be.
  private func tryDrawing(_ name: TypedName, tenant: Tenant) async throws {
    let settings = RenderSettings(width: 16, height: 8)
    _ = try await RenderServiceClient(acting(for: tenant)).render(
      RenderRequest(source: .typed(name), settings: settings))
  }

  package func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8] {
    let name = TypedName(text: typed.text, font: typed.font)
    return try await render(.typed(name), as: RenderSettings(), over: acting(for: tenant))
  }

  package func evidence(
    ofFields fieldIDs: [String], earlier heads: [String], tenant: Tenant
  ) async throws -> [UInt8] {
    let request = GetFieldEvidenceRequest(fieldIDs: fieldIDs, earlierHeads: heads)
    return try await SignatureServiceClient(acting(for: tenant)).getFieldEvidence(request).content
  }

  package func erase(_ subjectID: String, tenant: Tenant) async throws {
    let request = EraseSignaturesRequest(subjectID: subjectID, reason: "the subject's consent data were erased")
    _ = try await SignatureServiceClient(acting(for: tenant)).eraseSignatures(request)
  }

  package func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws {
    do {
      _ = try await SignatureServiceClient(acting(for: tenant)).holdSignatures(
        HoldSignaturesRequest(subjectID: subjectID, held: isHeld, reason: HoldJob.reason))
    } catch let status where status.isRefusal(by: "subject_erased") {
      // There is nothing left to hold.
    }
  }

  package func trail(
    of studyID: String, after position: EventPosition, limit: Int, tenant: Tenant
  ) async throws -> TrailPart {
    let answer = try await SignatureServiceClient(acting(for: tenant)).listSignatureTrail(
      ListSignatureTrailRequest(studyID: studyID, pageToken: position.token, pageSize: Int32(clamping: limit)))
    guard let part = TrailPart(answer, from: position), part.goesOn else {
      let story = "the trail of signatures does not go on after event \(position.sequence)"
      throw Status(.dataLoss, rule: "data_corrupt", story)
    }
    return part
  }

  /// Draws a picture for a record. It is cropped even if the field's is not, because no canvas surrounds it. Its pens
  /// are those of the strokes, as in the signed copy.
  private func render(
    _ source: RenderRequest.Source, as wanted: RenderSettings, over channel: BusChannel
  ) async throws -> [UInt8] {
    var settings = wanted
    (settings.format, settings.scale, settings.penWidth) = (.png, 2, 0)
    if !wanted.trim { (settings.trim, settings.trimMargin) = (true, 16) }
    return try await RenderServiceClient(channel).render(RenderRequest(source: source, settings: settings)).image
  }

  private func acting(for tenant: Tenant) -> BusChannel {
    channel.acting(for: .consent(tenant))
  }
}

extension TypedName {
  /// The value that the commitment to a saved name is made of: the name and, if there are words below it, their lines.
  fileprivate var committed: [UInt8] {
    let words = inscription.map { [$0.name, $0.date, $0.reason] } ?? []
    return Array(([text] + words).joined(separator: "\n").utf8)
  }
}

extension SignatureOrigin {
  fileprivate init(_ view: FieldView) {
    self.init(
      uploaded: view.saved?.kind == .uploaded, reusedFrom: view.saved?.reusedFrom?.signatureID ?? "",
      reusedRevision: view.saved?.reusedFrom?.revision ?? 0, initials: view.mark == .initials,
      drawnOn: view.saved?.drawnOn ?? "")
  }
}

extension SignaturePlace {
  fileprivate init(_ reference: FieldReference) {
    self.init(
      subjectID: reference.subjectID, studyID: reference.studyID, siteID: reference.siteID,
      sessionID: reference.sessionID, signatureID: reference.signatureID, documentID: reference.documentID,
      documentVersion: reference.documentVersion, recordID: reference.recordID)
  }
}

extension FieldReference {
  fileprivate init(_ place: SignaturePlace) {
    self.init(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
  }
}

extension TrailPart {
  /// The part that SignatureService answers with; nil if a token in it is none.
  fileprivate init?(_ answer: ListSignatureTrailResponse, from start: EventPosition) {
    guard let end = try? EventPosition(token: answer.nextPageToken) else { return nil }
    var steps: [Step] = []
    for var entry in answer.entries {
      guard let end = try? EventPosition(token: entry.pageToken) else { return nil }
      entry.pageToken = ""
      steps.append(Step(entry, end: end))
    }
    self.init(start: start, steps: steps, end: end, readUntil: answer.readUntil?.clamped)
  }
}
