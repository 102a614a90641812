internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import Storage
internal import Wire

/// Makes copies of records: reads what they say, has them laid out, and puts the seal into them.
struct CopyMaker: Sendable {
  let papers: any CopyPapers
  let clock: Clock
  /// Stands before the identifier that is printed on copies.
  let address: String

  struct Sealed: Sendable {
    let bytes: [UInt8]
    let seal: CopySeal
    /// What the seal lacks and is to have, as a reason on record; empty: nothing.
    let lacking: String

    /// Says what the file is, in what callers see of it.
    func describe(in copy: inout SignedCopy, at now: Instant) {
      (copy.level, copy.reason, copy.sealedBy) = (seal.level, lacking, seal.sealedBy)
      (copy.sealedAt, copy.byteCount) = (Timestamp(now), Int32(clamping: bytes.count))
    }
  }

  /// A paper with the place for a seal, and with what leads to its verification.
  func sealable(_ paper: CopyPaper, _ id: String) -> CopyPaper {
    var paper = paper
    paper.isSealable = true
    paper.verificationAddress = address + id
    return paper
  }

  /// The paper as a file under a seal. Whoever seals learns nothing but a hash.
  func sealed(_ paper: CopyPaper, _ tenant: Tenant) async throws -> Sealed {
    let pdf = try await papers.compose(paper, tenant: tenant)
    let draft: SealDraft
    do throws(SealingError) {
      draft = try SealDraft(pdf, SealRequest(permission: .signing), at: clock.now)
    } catch {
      throw CopyProblem(.failed, "not_possible", "the file that was made cannot be sealed")
    }
    let seal = try await papers.seal(draft.digest, tenant: tenant)
    let bytes: [UInt8]
    do throws(SealingError) {
      bytes = try draft.complete(with: seal.signature)
    } catch {
      return try withoutTime(draft, seal)
    }
    return Sealed(bytes: try checked(bytes), seal: seal, lacking: seal.timeProblem.isEmpty ? "" : SealTimeJob.reason)
  }

  /// The seal alone, where it has room and what an authority says about its time has none.
  private func withoutTime(_ draft: SealDraft, _ seal: CopySeal) throws(CopyProblem) -> Sealed {
    let (bare, bytes): ([UInt8], [UInt8])
    do throws(SealingError) {
      bare = try Sealer.withoutTime(seal.signature)
      bytes = try draft.complete(with: bare)
    } catch {
      throw CopyProblem(.sealing, "bad_seal", "the seal that came back does not fit the file")
    }
    let basic = CopySeal(
      signature: bare, level: Level.basic.rawValue, timeProblem: SealTimeJob.tooLarge, sealedBy: seal.sealedBy)
    return Sealed(bytes: try checked(bytes), seal: basic, lacking: SealTimeJob.tooLarge)
  }

  /// The file with the attested time of its seal; nil with the reason for the record where nobody attests it yet.
  func timed(_ bytes: [UInt8], _ tenant: Tenant) async throws -> (bytes: [UInt8]?, problem: String) {
    let last: LastSeal
    do throws(SealingError) {
      last = try LastSeal(of: bytes)
    } catch {
      throw CopyProblem(.sealed, "bad_seal", "the stored file has no seal that can be given a time")
    }
    let seal = try await papers.addTime(to: last.signature, tenant: tenant)
    guard seal.timeProblem.isEmpty, seal.level != Level.basic.rawValue else { return (nil, SealTimeJob.reason) }
    let timed: [UInt8]
    do throws(SealingError) {
      timed = try last.replaced(by: seal.signature)
    } catch {
      if case .noRoom = error { return (nil, SealTimeJob.tooLarge) }
      throw CopyProblem(.sealed, "bad_seal", "what came back is no time of the file's seal")
    }
    return (try checked(timed), "")
  }

  /// The file with what proves that its seal's certificates were not revoked; nil with the reason where there is no
  /// such proof yet.
  func proven(_ bytes: [UInt8], _ tenant: Tenant) async throws -> (bytes: [UInt8]?, problem: String) {
    let signature: [UInt8]
    do throws(SealingError) {
      signature = try LastSeal(of: bytes).signature
    } catch {
      throw CopyProblem(.sealed, "bad_seal", "the stored file has no seal that can be proven")
    }
    let found = try await papers.proofs(of: signature, tenant: tenant)
    guard found.problem.isEmpty else { return (nil, found.problem) }
    let proven = try checked(
      try? Sealer.addProofs(
        to: bytes, certificates: found.certificates.compactMap { Certificate(der: $0) }, lists: found.lists,
        answers: found.answers))
    guard (try? Sealer.level(of: proven, at: clock.now)) == .longTerm else {
      return (nil, "what was found does not prove all of the seal's certificates")
    }
    return (proven, "")
  }

  /// What came of asking for an attested time over a file.
  enum Attested: Sendable {
    case done([UInt8], ArchiveTime)
    /// The authority's certificate ends no later than that of the time that is in the file already.
    case notLonger
    case failed(String)
  }

  /// The file with an attested time over all that is in it. Before it stands what proves the time before it, if there
  /// is one: so the file grows by a link of a chain.
  func attested(_ bytes: [UInt8], _ tenant: Tenant) async throws -> Attested {
    do {
      let before = try ArchiveTime(of: bytes)
      var whole = bytes
      if let before { whole = try await proving(before.token, in: bytes, tenant) }
      let draft = try SealDraft(whole, SealRequest(), at: nil)
      let answer = try await papers.attest(draft.digest, tenant: tenant)
      guard answer.problem.isEmpty else { return .failed(answer.problem) }
      let complete = try checked(try? draft.complete(with: answer.token))
      guard let time = try ArchiveTime(of: complete), try Sealer.level(of: complete, at: clock.now) == .archived else {
        return .failed("what is in the file does not prove all of its seal")
      }
      if let before, time.validUntil <= before.validUntil { return .notLonger }
      return .done(complete, time)
    } catch let error as SealingError {
      return .failed(error.description)
    }
  }

  /// A file with what proves one of its time stamps; as it is where nobody publishes anything about it.
  private func proving(_ token: [UInt8], in bytes: [UInt8], _ tenant: Tenant) async throws -> [UInt8] {
    let found: CopyProofs
    do {
      found = try await papers.proofs(of: token, tenant: tenant)
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_revocation_data: ") {
      return bytes
    }
    guard found.problem.isEmpty else { throw SealingError.refused(found.problem) }
    return try Sealer.addProofs(
      to: bytes, certificates: found.certificates.compactMap { Certificate(der: $0) }, lists: found.lists,
      answers: found.answers)
  }

  /// A file that leaves here is one that a validator accepts, whoever made the seal.
  private func checked(_ sealed: [UInt8]?) throws(CopyProblem) -> [UInt8] {
    guard let sealed else { throw CopyProblem(.sealing, "bad_seal", "the seal that came back does not fit the file") }
    let report = DocumentVerifier(trusting: Trust(), at: clock.now).verify(sealed)
    guard [.valid, .unknownSigner].contains(report.verdict) else {
      throw CopyProblem(.sealing, "bad_seal", "what came back is no seal of the file")
    }
    return sealed
  }
}
