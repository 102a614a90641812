package import Base
package import RPC
package import Sealing
internal import ServicePolicy
package import SignatureContract
package import Storage

/// The handlers of PaperService: documents are laid out and checked on a thread pool of their own, callers in turns.
package struct PaperHandlers: PaperServiceProtocol {
  private let maker: PaperMaker
  private let pool: FairPool
  /// The certificates that the installation trusts, and those of a tenant's own seals.
  private let trusted: @Sendable (Tenant) -> [Certificate]
  private let clock: Clock

  package init(
    maker: PaperMaker, pool: FairPool, clock: Clock, trusting trusted: @escaping @Sendable (Tenant) -> [Certificate]
  ) {
    (self.maker, self.pool, self.trusted, self.clock) = (maker, pool, trusted, clock)
  }

  package func composeDocument(
    _ request: ComposeDocumentRequest, context: CallContext
  ) async throws -> ComposeDocumentResponse {
    _ = try context.admittedToRequest()
    guard let paper = request.paper else { throw FieldChecks.missing("paper") }
    let isLight = paper.textSize <= PaperBounds.light && paper.pictures.isEmpty
    let content = try await inTurn(context, isLight: isLight) {
      try maker.compose(paper, until: context.deadline, context.clock)
    }
    return ComposeDocumentResponse(content: content, contentType: "application/pdf")
  }

  package func verifyDocument(
    _ request: VerifyDocumentRequest, context: CallContext
  ) async throws -> VerifyDocumentResponse {
    let tenant = try context.admittedToRequest().tenant
    guard (1...PaperBounds.file).contains(request.content.count) else {
      throw FieldChecks.refusal(
        "content", "is \(request.content.count) bytes long", "1 to \(PaperBounds.file)", rule: "out_of_bounds")
    }
    guard request.trustedCertificates.count <= PaperBounds.certificates else {
      throw FieldChecks.refusal(
        "trusted_certificates", "is \(request.trustedCertificates.count) bytes long",
        "at most \(PaperBounds.certificates)", rule: "out_of_bounds")
    }
    let isLight =
      request.content.count <= PaperBounds.light * 4 && request.trustedCertificates.count <= PaperBounds.light
    let roots = trusted(tenant)
    let report = try await inTurn(context, isLight: isLight) {
      let given = Certificate.list(pem: request.trustedCertificates)
      guard request.trustedCertificates.isEmpty || !given.isEmpty else {
        throw FieldChecks.refusal(
          "trusted_certificates", "has no certificate", "certificates in PEM", rule: "bad_certificate")
      }
      let verifier = DocumentVerifier(trusting: Trust(roots: roots + given), at: clock.now)
      let checker = PaperChecker(verifier: verifier, patience: maker.patience)
      return try checker.check(request.content, until: context.deadline, context.clock)
    }
    return VerifyDocumentResponse(
      verdict: DocumentVerdict(report.verdict), report: report.json, lines: report.lines,
      subindication: report.subindication?.rawValue ?? "")
  }

  /// Does the work in the caller's turn. Work that may take long is done on fewer threads.
  private func inTurn<Answer: Sendable>(
    _ context: CallContext, isLight: Bool, _ work: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    let waiting = FairPool.Waiting(freeingSlotOf: context)
    do {
      return try await pool.run(
        for: "\(context.identity.tenant)/\(context.identity.subject)", waiting: waiting
      ) {
        isLight ? try work() : nil
      } full: {
        try work()
      }
    } catch let refusal as FairRefusal {
      switch refusal {
      case .callerWaits(let bound):
        throw Refusal(.exhausted, "caller_waits", "\(bound) documents of this caller wait already, as many as may")
      case .allWait(let bound):
        throw Refusal(.exhausted, "all_wait", "\(bound) documents wait already, as many as may")
      }
    }
  }
}

extension DocumentVerdict {
  fileprivate init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .passed: .totalPassed
      case .indeterminate: .indeterminate
      case .failed: .totalFailed
      }
  }
}
