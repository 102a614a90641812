public import Base
public import Sealing

/// The proofs that the certificates of a seal were not revoked.
public struct SealProofs: Sendable {
  public let certificates: [Certificate]
  /// Certificate revocation lists, in DER.
  public let lists: [[UInt8]]
  /// OCSP responses, in DER.
  public let answers: [[UInt8]]
}

/// Asks issuers whether certificates were revoked, at the addresses that the certificates name: their responder first,
/// then their list.
public struct ProofCollector: Sendable {
  private let client: AuthorityClient
  private let known: [Certificate]
  /// Lists from the operator's files, which are tried before the addresses that certificates name.
  private let lists: [[UInt8]]

  private static let mostAnswerBytes = 64 << 10
  /// The largest lists in use have some megabytes, by which they would enlarge each document.
  private static let mostListBytes = 4 << 20

  /// - Parameters:
  ///   - known: certificates of issuers that signatures do not carry.
  ///   - lists: of revocations, in DER, that are tried before anybody is asked.
  public init(_ client: AuthorityClient, knowing known: [Certificate] = [], lists: [[UInt8]] = []) {
    self.client = client
    self.known = known
    self.lists = lists
  }

  /// The proofs that a seal needs, without the file that it is in.
  ///
  /// - Parameter signature: CMS in DER.
  /// - Returns: nil when there is nobody to ask: the signer's certificate vouches for itself, or one of the
  ///   certificates names nobody who would know.
  /// - Throws: when one of them cannot be fetched now.
  public func proofs(forSeal signature: [UInt8], at now: Instant) async throws(SealingError) -> SealProofs? {
    let needs = try ProofNeeds(ofSeal: signature, knowing: known, at: now)
    guard needs.certificates.first?.isSelfSigned == false else { return nil }
    let isAnswerable = needs.questions.allSatisfy { question in
      (question.responders + question.lists).contains { $0.lowercased().hasPrefix("http") }
        || lists.contains { isProof($0, question, now) }
    }
    return isAnswerable ? try await proofs(for: needs, at: now) : nil
  }

  private func proofs(for needs: ProofNeeds, at now: Instant) async throws(SealingError) -> SealProofs {
    var answers: [[UInt8]] = []
    var found: [[UInt8]] = []
    for question in needs.questions {
      if (answers.contains { isProof(answer: $0, question, now) })
        || found.contains(where: { isProof($0, question, now) })
      {
        continue
      }
      switch try await proof(for: question, at: now) {
      case .answer(let bytes): answers.append(bytes)
      case .list(let bytes): found.append(bytes)
      }
    }
    return SealProofs(certificates: needs.certificates, lists: found, answers: answers)
  }

  private enum Proof {
    case answer([UInt8])
    case list([UInt8])
  }

  private func isProof(_ list: [UInt8], _ question: RevocationQuestion, _ now: Instant) -> Bool {
    (try? question.check(list: list, at: now)) != nil
  }

  private func isProof(answer: [UInt8], _ question: RevocationQuestion, _ now: Instant) -> Bool {
    (try? question.check(answer: answer, at: now)) != nil
  }

  private func proof(for question: RevocationQuestion, at now: Instant) async throws(SealingError) -> Proof {
    if let list = lists.first(where: { isProof($0, question, now) }) { return .list(list) }
    var problems: [String] = []
    for url in question.responders.prefix(3) where url.lowercased().hasPrefix("http") {
      do {
        let answer = try await client.post(
          question.request, as: "application/ocsp-request", to: url, expecting: "application/ocsp-response",
          atMost: Self.mostAnswerBytes)
        try question.check(answer: answer, at: now)
        return .answer(answer)
      } catch {
        problems.append("\(error)")
      }
    }
    for url in question.lists.prefix(3) where url.lowercased().hasPrefix("http") {
      do {
        let list = try await client.get(url, atMost: Self.mostListBytes)
        try question.check(list: list, at: now)
        return .list(list)
      } catch {
        problems.append("\(error)")
      }
    }
    let reason = problems.isEmpty ? "its certificate names nobody to ask" : problems.joined(separator: "; ")
    throw .refused("nothing proves that '\(question.certificate.subject)' was not revoked: \(reason)")
  }
}
