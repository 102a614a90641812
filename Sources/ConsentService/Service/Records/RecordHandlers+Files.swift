internal import Base
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Seals of files that are no records, and that never come here.
extension RecordHandlers {
  func sealFile(_ request: SealFileRequest, context: CallContext) async throws -> SealFileResponse {
    guard request.digest.count == 32 else {
      let message = "digest is \(request.digest.count) bytes long; it must be the 32 bytes of a SHA-256"
      throw Refusal(.invalid, "bad_digest", field: "digest", message)
    }
    let tenant = try context.tenant()
    switch request.part {
    case .seal, .sealWithProofs:
      // On record before it is made: so there is no seal of which nobody knows whose it is.
      let event = ConsentEvent(kind: .fileSealed, hash: Hex.encode(request.digest))
      try await data.change(context, of: { _, _ in AccessTarget.wholeTenant }) { transaction, caller, _ in
        try transaction.note(event, by: caller)
      }
      let seal = try await copies.papers.seal(request.digest, tenant: tenant)
      var answer = SealFileResponse(
        signature: seal.signature, level: seal.level, sealedBy: seal.sealedBy, problem: seal.timeProblem)
      if request.part == .sealWithProofs, seal.timeProblem.isEmpty { try await addProofs(to: &answer, tenant) }
      return answer
    case .time:
      try await data.admit(context) { _, _ in AccessTarget.wholeTenant }
      let (token, problem) = try await copies.papers.attest(request.digest, tenant: tenant)
      return SealFileResponse(signature: token, problem: problem)
    case .unspecified, .unrecognized:
      let message = "part is \(request.part.number); it must be SEAL, SEAL_WITH_PROOFS or TIME"
      throw Refusal(.invalid, "unknown_part", field: "part", message)
    }
  }

  /// A seal of which nobody says whether it was revoked is one nevertheless.
  private func addProofs(to answer: inout SealFileResponse, _ tenant: Tenant) async throws {
    do {
      let found = try await copies.papers.proofs(of: answer.signature, tenant: tenant)
      (answer.certificates, answer.lists, answer.answers) = (found.certificates, found.lists, found.answers)
      answer.problem = found.problem
    } catch let failure as CopyFailure where failure.status.code == .failedPrecondition {
      answer.problem = failure.status.message
    }
  }
}
