internal import Base
internal import PDF

/// What a file's proofs say of certificates: who was revoked, and of whom it is known that they were not.
struct Evidence {
  private let all: [Revocation]
  let certificates: [Certificate]
  /// Whether the file has proofs, each of which can be read. A seal of level B-LT needs that.
  let isWhole: Bool
  /// Checks with public keys are counted with those of the whole file.
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

  /// The first certificate of a chain that was revoked at a time or before it.
  func revoked(in chain: [Certificate], by time: Instant) -> (certificate: Certificate, at: Instant)? {
    for (certificate, issuer) in zip(chain, chain.dropFirst()) {
      for status in statuses(of: certificate, issuedBy: issuer) {
        if case .revoked(let at) = status.state, at <= time { return (certificate, at) }
      }
    }
    return nil
  }

  /// Whether each certificate of a chain, except the root, is known not to have been revoked at a time.
  ///
  /// - Parameter now: what is said to come from later than this is not believed.
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

  /// A certificate that is not as its issuer, who is known, signed it. Nothing else covers what comes along with a
  /// signature. One whose issuer is not known may be nobody's business here.
  func altered(among others: [Certificate], _ roots: [Certificate]) -> Certificate? {
    let all = others + certificates
    let known = Dictionary(grouping: all + roots, by: \.subjectDER)
    for one in all where !answers.unaltered.contains(one) {
      let issuers = (known[one.issuerDER] ?? []).filter { $0.isNamed(asIssuerOf: one) }
      // Nothing is known of it here: the issuer may come along with another signature.
      if issuers.isEmpty { continue }
      let isSigned = issuers.contains { budget.spend(1, .keyChecks) && $0.issued(one) }
      guard isSigned else { return one }
      answers.unaltered.insert(one)
    }
    return nil
  }

  /// What each proof says of a certificate. Several signatures ask about the same ones.
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
