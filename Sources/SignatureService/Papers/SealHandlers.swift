package import Base
package import Bus
package import Sealing
internal import ServicePolicy
package import SignatureContract

/// The handlers of SealService. Nothing of a document but its hash comes here.
package struct SealHandlers: SealServiceProtocol {
  private let sealer: Sealer
  private let clock: Clock

  package init(sealer: Sealer, clock: Clock) {
    (self.sealer, self.clock) = (sealer, clock)
  }

  package func sealDocument(
    _ request: SealDocumentRequest, context: CallContext
  ) async throws -> SealDocumentResponse {
    _ = try context.admittedToRequest()
    guard request.digest.count == 32 else {
      throw FieldChecks.refusal(
        "digest", "is \(request.digest.count) bytes long", "the 32 bytes of a SHA-256", rule: "bad_digest")
    }
    let seal = try await sealer.seal(digest: request.digest, at: clock.now)
    return SealDocumentResponse(
      signature: seal.signature, level: seal.level.rawValue, timeProblem: seal.timeStampProblem ?? "",
      sealedBy: sealer.subject)
  }

  package func addSealTime(
    _ request: AddSealTimeRequest, context: CallContext
  ) async throws -> AddSealTimeResponse {
    _ = try context.admittedToRequest()
    guard sealer.asksForTime else {
      throw Refusal(.precondition, "no_time_authority", "this process asks no time-stamping authority")
    }
    guard (1...Self.longestSignature).contains(request.signature.count) else {
      throw FieldChecks.refusal(
        "signature", "is \(request.signature.count) bytes long", "1 to \(Self.longestSignature)",
        rule: "out_of_bounds")
    }
    let seal = try await sealer.timed(request.signature, at: clock.now)
    return AddSealTimeResponse(
      signature: seal.signature, level: seal.level.rawValue, timeProblem: seal.timeStampProblem ?? "")
  }

  private static let longestSignature = 64 << 10
}
