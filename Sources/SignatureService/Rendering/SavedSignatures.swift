internal import Base
package import Bus
package import RPC
internal import SignatureContract
internal import Storage

/// Reads saved signatures, of which pictures are drawn.
package protocol SavedSignatures: Sendable {
  func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject
}

/// For a process without a database: asks SignatureService on the caller's behalf.
package struct RemoteSignatures: SavedSignatures {
  private let channel: BusChannel

  package init(channel: BusChannel) {
    self.channel = channel
  }

  package func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject {
    // The call is made as the caller for whom the picture is drawn, so that SignatureService checks that caller's
    // rights and records the reading as theirs.
    let client = SignatureServiceClient(channel.acting(forCallerOf: context))
    let pictured = try await client.getPicturedSignature(GetPicturedSignatureRequest(signatureID: signatureID))
    guard let answer = pictured.signature else {
      throw Status(.dataLoss, rule: "data_corrupt", "signature '\(signatureID)' came without content")
    }
    let opening = answer.opening
    guard opening.digest.hex == answer.saved?.hash else {
      throw Status(.dataLoss, rule: "data_corrupt", "signature '\(signatureID)' does not match its hash")
    }
    if let typed = answer.typed { return try PictureMaker.Subject(typed, salt: answer.salt) }
    return .blob(answer.blob, commitment: opening.digest)
  }
}

extension GetStrokesResponse {
  /// The opening of the commitment whose digest is the signature's hash.
  fileprivate var opening: Commitment.Opening {
    if let typed {
      return Commitment.Opening(label: SignatureCommitment.typed, salt: salt, value: typed.committed)
    }
    return Commitment.Opening(label: SignatureCommitment.drawn, salt: salt, value: Digest(of: blob).bytes)
  }
}
