internal import Base
internal import PDF

/// A file's proofs about certificates: which were revoked, and which are known not to have been.
struct Evidence {
  private let all: [Revocation]
  let certificates: [Certificate]
  /// Whether the file has proofs and each can be read, which level B-LT requires of a seal.
  let isWhole: Bool
  /// The file's budget, which pays for checks with public keys.
  let budget: ReadingBudget
  private let answers = Answers()

  init(_ proofs: ProofStore) {
    all = proofs.lists.compactMap { Revocation(list: $0) } + proofs.answers.compactMap { Revocation(answer: $0) }
    certificates = proofs.certificates.compactMap { Certificate(der: $0) }
    let (statements, others) = (proofs.lists.count + proofs.answers.count, proofs.certificates.count)
    isWhole =
      statements + others > 0 && !proofs.hasLargeOnes && all.count == statements && certificates.count == others
    budget = proofs.budget
  }

  /// The first certificate of a chain that was revoked at `time` or before.
  func revoked(in chain: [Certificate], by time: Instant) -> (certificate: Certificate, at: Instant)? {
    for (certificate, issuer) in zip(chain, chain.dropFirst()) {
      for status in statuses(of: certificate, issuedBy: issuer) {
        if case .revoked(let at) = status.state, at <= time { return (certificate, at) }
      }
    }
    return nil
  }

  /// When the first certificate of a chain was revoked after `time`; nil if none was.
  func revokedLater(in chain: [Certificate], after time: Instant) -> Instant? {
    let all = zip(chain, chain.dropFirst()).flatMap { statuses(of: $0, issuedBy: $1) }
    return all.compactMap { if case .revoked(let at) = $0.state, at > time { at } else { nil } }.min()
  }

  /// Whether each certificate of a chain, except the root, is known not to have been revoked at `time`.
  ///
  /// - Parameter now: statements that claim to be from later than this are ignored.
  func clears(_ chain: [Certificate], at time: Instant, now: Instant) -> Bool {
    zip(chain, chain.dropFirst()).allSatisfy { certificate, issuer in
      statuses(of: certificate, issuedBy: issuer).contains { status in
        guard status.covers(time), status.from <= now + Self.tolerance else { return false }
        switch status.state {
        case .good: return true
        case .revoked(let at): return at > time
        }
      }
    }
  }

  /// The first certificate whose signature is not its issuer's, if its issuer is known here. Nothing else protects the
  /// certificates that come with a signature. One whose issuer is unknown may not matter here.
  func altered(among others: [Certificate], _ roots: [Certificate]) -> Certificate? {
    let all = others + certificates
    let known = Dictionary(grouping: all + roots, by: \.subjectDER)
    for one in all where !answers.unaltered.contains(one) {
      let issuers = (known[one.issuerDER] ?? []).filter { $0.isNamed(asIssuerOf: one) }
      // It cannot be checked here: the issuer's certificate may come with another signature.
      if issuers.isEmpty { continue }
      let isSigned = issuers.contains { budget.spend(1, .keyChecks) && $0.issued(one) }
      guard isSigned else { return one }
      answers.unaltered.insert(one)
    }
    return nil
  }

  /// What each proof states about a certificate. The result is kept, since several signatures ask about the same ones.
  private func statuses(of certificate: Certificate, issuedBy issuer: Certificate) -> [RevocationStatus] {
    let question = RevocationQuestion(certificate: certificate, issuer: issuer)
    if let known = answers.known[question] { return known }
    let found = all.compactMap { proof -> RevocationStatus? in
      guard budget.spend(1, .keyChecks), budget.spend(proof.size, .readBytes) else { return nil }
      return proof.status(of: certificate, issuedBy: issuer)
    }
    answers.known[question] = found
    return found
  }

  private static let tolerance = Duration.seconds(300)

  private final class Answers {
    var known: [RevocationQuestion: [RevocationStatus]] = [:]
    var unaltered: Set<Certificate> = []
  }
}
