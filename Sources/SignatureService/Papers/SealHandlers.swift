package import Authorities
package import Base
package import RPC
package import Sealing
internal import ServicePolicy
package import SignatureContract
package import Storage
internal import Wire

/// What documents of a tenant are sealed with.
package struct TenantSeal: Sendable {
  package let sealer: Sealer
  /// Makes a collector of revocation proofs. Called for each request, because files with lists of revocations may be
  /// replaced while the process runs. nil without a time authority: only seals with an attested time get proofs.
  package let collector: (@Sendable () throws -> ProofCollector)?

  package init(sealer: Sealer, collector: (@Sendable () throws -> ProofCollector)? = nil) {
    (self.sealer, self.collector) = (sealer, collector)
  }
}

/// The handlers of SealService. They get nothing of a document but its hash, and seals that were made of it.
package struct SealHandlers: SealServiceProtocol {
  private let sealing: @Sendable (Tenant) throws -> TenantSeal
  private let clock: Clock

  /// - Parameter sealing: returns what documents of a tenant are sealed with; throws if this process does not seal for
  ///   the tenant.
  package init(clock: Clock, _ sealing: @escaping @Sendable (Tenant) throws -> TenantSeal) {
    (self.clock, self.sealing) = (clock, sealing)
  }

  /// Handlers that use the same seal for all tenants.
  package init(
    sealer: Sealer, collector: (@Sendable () throws -> ProofCollector)? = nil, clock: Clock
  ) {
    self.init(clock: clock) { _ in TenantSeal(sealer: sealer, collector: collector) }
  }

  package func sealDocument(
    _ request: SealDocumentRequest, context: CallContext
  ) async throws -> SealDocumentResponse {
    let tenant = try context.admittedToRequest().tenant
    try Self.check(digest: request.digest)
    let sealer = try sealing(tenant).sealer
    let seal = try await sealer.seal(digest: request.digest, at: clock.now)
    return SealDocumentResponse(
      signature: seal.signature, level: seal.level.rawValue, timeProblem: seal.timeStampProblem ?? "",
      sealedBy: sealer.subject)
  }

  package func addSealTime(
    _ request: AddSealTimeRequest, context: CallContext
  ) async throws -> AddSealTimeResponse {
    let sealer = try sealing(context.admittedToRequest().tenant).sealer
    guard sealer.asksForTime else {
      throw Refusal(.precondition, "no_time_authority", "this process asks no time-stamping authority")
    }
    try Self.check(request.signature)
    let seal = try await sealer.timed(request.signature, at: clock.now)
    return AddSealTimeResponse(
      signature: seal.signature, level: seal.level.rawValue, timeProblem: seal.timeStampProblem ?? "")
  }

  package func findSealProofs(
    _ request: FindSealProofsRequest, context: CallContext
  ) async throws -> FindSealProofsResponse {
    let tenant = try context.admittedToRequest().tenant
    try Self.check(request.signature)
    guard let collector = try sealing(tenant).collector else {
      throw Refusal(
        .precondition, "no_revocation_data", "this process looks for no proofs, since it asks no time authority")
    }
    let asking: ProofCollector
    do {
      asking = try collector()
    } catch {
      return FindSealProofsResponse(problem: "a list of revocations cannot be read: \(error)")
    }
    let proofs: SealProofs?
    do throws(SealingError) {
      proofs = try await asking.proofs(forSeal: request.signature, at: clock.now)
    } catch {
      return FindSealProofsResponse(problem: error.description)
    }
    guard let proofs else {
      throw Refusal(
        .precondition, "no_revocation_data", field: "signature",
        "nobody says whether the certificates of the seal were revoked: they name nobody to ask, and no list is set")
    }
    return FindSealProofsResponse(
      certificates: proofs.certificates.map(\.der), lists: proofs.lists, answers: proofs.answers)
  }

  package func attestDocument(
    _ request: AttestDocumentRequest, context: CallContext
  ) async throws -> AttestDocumentResponse {
    let tenant = try context.admittedToRequest().tenant
    try Self.check(digest: request.digest)
    let sealer = try sealing(tenant).sealer
    guard sealer.asksForTime else {
      throw Refusal(.precondition, "no_time_authority", "this process asks no time-stamping authority")
    }
    do throws(SealingError) {
      return AttestDocumentResponse(token: try await sealer.documentTime(digest: request.digest, now: clock.now))
    } catch {
      return AttestDocumentResponse(problem: error.description)
    }
  }

  package func getSealCertificate(
    _ request: GetSealCertificateRequest, context: CallContext
  ) async throws -> GetSealCertificateResponse {
    let sealer = try sealing(context.admittedToRequest().tenant).sealer
    let certificate = sealer.certificate
    var answer = GetSealCertificateResponse(
      subject: certificate.subject, issuer: certificate.issuer, validFrom: Timestamp(certificate.validFrom),
      validUntil: Timestamp(certificate.validUntil))
    do throws(SealingError) {
      try sealer.check(at: clock.now)
    } catch {
      answer.problem = error.description
    }
    return answer
  }

  private static func check(digest: [UInt8]) throws(Refusal) {
    guard digest.count == 32 else {
      throw FieldChecks.refusal(
        "digest", "is \(digest.count) bytes long", "the 32 bytes of a SHA-256", rule: "bad_digest")
    }
  }

  private static func check(_ signature: [UInt8]) throws(Refusal) {
    guard (1...longestSignature).contains(signature.count) else {
      throw FieldChecks.refusal(
        "signature", "is \(signature.count) bytes long", "1 to \(longestSignature)", rule: "out_of_bounds")
    }
  }

  private static let longestSignature = 64 << 10
}
