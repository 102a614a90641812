internal import Bus
internal import ConsentContract
internal import SignatureContract
internal import Storage

/// SignatureService, over the bus. Calls within a call carry its caller's identity; jobs act for their tenant.
struct BusSignatures: SignatureFields {
  private let channel: BusChannel

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func savedStrokes(inField fieldID: String, of subjectID: String) async throws -> String? {
    do {
      let answer = try await SignatureServiceClient(channel).getField(GetFieldRequest(fieldID: fieldID))
      guard answer.view?.reference?.subjectID == subjectID else { return nil }
      return answer.view?.saved?.hash
    } catch let status where status.code == .notFound {
      return nil
    }
  }

  func picture(ofField fieldID: String, tenant: Tenant) async throws -> [UInt8] {
    let channel = acting(for: tenant)
    let field = try await SignatureServiceClient(channel).getField(GetFieldRequest(fieldID: fieldID))
    let signatureID = field.view?.saved?.signatureID ?? ""
    return try await render(.signatureID(signatureID), over: channel)
  }

  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8] {
    try await render(.typed(TypedName(text: typed.text, font: typed.font)), over: acting(for: tenant))
  }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    let request = EraseSignaturesRequest(subjectID: subjectID, reason: "the subject's consent data were erased")
    do {
      _ = try await SignatureServiceClient(acting(for: tenant)).eraseSignatures(request)
    } catch let status where status.code == .notFound {
      // The subject never signed in a field: there is nothing to erase.
    }
  }

  private func render(_ source: RenderRequest.Source, over channel: BusChannel) async throws -> [UInt8] {
    let settings = RenderSettings(format: .png, trim: true, trimMargin: 16, scale: 2)
    return try await RenderServiceClient(channel).render(RenderRequest(source: source, settings: settings)).image
  }

  private func acting(for tenant: Tenant) -> BusChannel {
    channel.acting(for: CallerIdentity(access: .service, tenant: tenant.id, subject: "consent"))
  }
}
