internal import Base

/// What a file's proofs say of certificates: who was revoked, and of whom it is known that they were not.
struct Evidence {
  private let all: [Revocation]
  let certificates: [Certificate]
  /// Whether the file has proofs at all.
  let isPresent: Bool

  init(_ proofs: ProofStore) {
    all = proofs.lists.compactMap { Revocation(list: $0) } + proofs.answers.compactMap { Revocation(answer: $0) }
    certificates = proofs.certificates.compactMap { Certificate(der: $0) }
    isPresent = !(proofs.lists + proofs.answers + proofs.certificates).isEmpty
  }

  /// The first certificate of a chain that was revoked at a time or before it.
  func revoked(in chain: [Certificate], by time: Instant) -> (certificate: Certificate, at: Instant)? {
    for (certificate, issuer) in zip(chain, chain.dropFirst()) {
      for proof in all {
        if case .revoked(let at)? = proof.status(of: certificate, issuedBy: issuer)?.state, at <= time {
          return (certificate, at)
        }
      }
    }
    return nil
  }

  /// Whether each certificate of a chain, except the root, is known not to have been revoked at a time.
  ///
  /// - Parameter now: what is said to come from later than this is not believed.
  func clears(_ chain: [Certificate], at time: Instant, now: Instant) -> Bool {
    zip(chain, chain.dropFirst()).allSatisfy { certificate, issuer in
      all.contains { proof in
        guard let status = proof.status(of: certificate, issuedBy: issuer), status.covers(time) else { return false }
        guard status.from <= now + Self.tolerance else { return false }
        switch status.state {
        case .good: return true
        case .revoked(let at): return at > time
        }
      }
    }
  }

  private static let tolerance = Duration.seconds(300)
}
