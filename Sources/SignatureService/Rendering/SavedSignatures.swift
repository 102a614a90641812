package import Bus
internal import SignatureContract

/// Where saved signatures come from when a picture of one is asked for.
package protocol SavedSignatures: Sendable {
  func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject
}

/// For a process without a database: asks SignatureService, for the caller and on the caller's behalf.
package struct RemoteSignatures: SavedSignatures {
  private let channel: BusChannel

  package init(channel: BusChannel) {
    self.channel = channel
  }

  package func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject {
    // Strokes are for services; whom this one reads them for goes along, so that a reading by staff is on record.
    var reader = context.identity
    reader.access = .service
    let client = SignatureServiceClient(channel.acting(for: reader))
    let answer = try await client.getStrokes(GetStrokesRequest(signature: .signatureID(signatureID)))
    if let typed = answer.typed { return try PictureMaker.Subject(typed) }
    return .blob(answer.blob)
  }
}
