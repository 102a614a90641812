internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import Sealing
internal import Storage
internal import Wire

/// Makes the files of copies: has papers laid out, and puts seals, time stamps and proofs into the files.
struct CopyMaker: Sendable {
  let papers: any CopyPapers
  let clock: Clock
  /// The beginning of the addresses that are printed on copies; a copy's identifier follows it.
  let address: String
  /// Draws the pages of scans.
  let pages: PagePool

  struct Sealed: Sendable {
    let bytes: [UInt8]
    let seal: CopySeal
    /// The reason on record why the seal has no time stamp yet; empty if it lacks nothing.
    let lacking: String

    /// Describes the file in the copy's description that callers see.
    func describe(in copy: inout SignedCopy, at now: Instant) {
      (copy.level, copy.reason, copy.sealedBy) = (seal.level, lacking, seal.sealedBy)
      (copy.sealedAt, copy.byteCount) = (Timestamp(now), Int32(clamping: bytes.count))
    }
  }

  /// The paper with room for a seal, and with the address at which the copy can be verified.
  func sealable(_ paper: CopyPaper, _ id: String) -> CopyPaper {
    var paper = paper
    paper.isSealable = true
    paper.verificationAddress = address + id
    return paper
  }

  /// The paper as a file.
  func composed(_ paper: CopyPaper, _ tenant: Tenant) async throws -> [UInt8] {
    try await papers.compose(await withScan(paper, tenant), tenant: tenant)
  }

  /// The most bytes of a scan together with the images of its pages: the rest of a file is for everything else.
  private static let mostScanned = 20 << 20

  /// The paper with the pages of its scan, if that is a file whose pages can be drawn. It is attached in any case.
  private func withScan(_ paper: CopyPaper, _ tenant: Tenant) async -> CopyPaper {
    guard let scan = paper.scan, let drawn = try? await pages.draw(scan.bytes, for: tenant.id),
      drawn.images.reduce(scan.bytes.count, { $0 + $1.data.count }) <= Self.mostScanned
    else { return paper }
    var paper = paper
    paper.pictures += drawn.images
    for page in drawn.file.pages {
      let words = MarkupText.escaped(trimmed(page.text).isEmpty ? scan.name : page.text)
      paper.review.separateHTML += "<p><img src=\"asset:\(page.imageAsset)\" alt=\"\(words)\"/></p>"
    }
    return paper
  }

  /// The paper as a sealed file. The service that seals learns only a hash.
  func sealed(_ paper: CopyPaper, _ tenant: Tenant) async throws -> Sealed {
    let pdf = try await composed(paper, tenant)
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
    return Sealed(bytes: try checked(bytes), seal: seal, lacking: seal.timeProblem.isEmpty ? "" : SealStep.time.missing)
  }

  /// The file with the seal alone, without the authority's time stamp, for which the file has no room.
  private func withoutTime(_ draft: SealDraft, _ seal: CopySeal) throws(CopyProblem) -> Sealed {
    let (bare, bytes): ([UInt8], [UInt8])
    do throws(SealingError) {
      bare = try Sealer.withoutTime(seal.signature)
      bytes = try draft.complete(with: bare)
    } catch {
      throw CopyProblem(.sealing, "bad_seal", "the seal that came back does not fit the file")
    }
    let basic = CopySeal(
      signature: bare, level: Level.basic.rawValue, timeProblem: SealStep.timeHasNoRoom, sealedBy: seal.sealedBy)
    return Sealed(bytes: try checked(bytes), seal: basic, lacking: SealStep.timeHasNoRoom)
  }

  /// A file with the next proof, or why it does not get it yet.
  enum Raised: Sendable {
    case file([UInt8], Level, ArchiveTime? = nil)
    /// The authority's certificate ends no later than that of the archive time stamp that is in the file already.
    case notLonger
    /// The reason for the record.
    case missing(String)
  }

  /// The file with what a reminder of this kind waits for.
  func raised(_ current: CurrentCopy, by kind: Deadline.Kind, _ tenant: Tenant) async throws -> Raised {
    switch kind {
    case .time: try await timed(current.bytes, tenant)
    case .proofs: try await proven(current.bytes, tenant)
    default: try await attested(current.bytes, tenant)
    }
  }

  /// The file with a time stamp on its seal.
  private func timed(_ bytes: [UInt8], _ tenant: Tenant) async throws -> Raised {
    let last: LastSeal
    do throws(SealingError) {
      last = try LastSeal(of: bytes)
    } catch {
      throw CopyProblem(.sealed, "bad_seal", "the stored file has no seal that can be given a time")
    }
    let seal = try await papers.addTime(to: last.signature, tenant: tenant)
    guard seal.timeProblem.isEmpty, seal.level != Level.basic.rawValue else { return .missing(SealStep.time.missing) }
    let timed: [UInt8]
    do throws(SealingError) {
      timed = try last.replaced(by: seal.signature)
    } catch {
      if case .noRoom = error { return .missing(SealStep.timeHasNoRoom) }
      throw CopyProblem(.sealed, "bad_seal", "what came back is no time of the file's seal")
    }
    return .file(try checked(timed), .timed)
  }

  /// The file with the proofs that its seal's certificates were not revoked.
  private func proven(_ bytes: [UInt8], _ tenant: Tenant) async throws -> Raised {
    let signature: [UInt8]
    do throws(SealingError) {
      signature = try LastSeal(of: bytes).signature
    } catch {
      throw CopyProblem(.sealed, "bad_seal", "the stored file has no seal that can be proven")
    }
    let found = try await papers.proofs(of: signature, tenant: tenant)
    let missing = SealStep.proofs.missing
    guard found.problem.isEmpty else { return .missing("\(missing) (\(found.problem))") }
    let proven = try checked(
      try? Sealer.addProofs(
        to: bytes, certificates: found.certificates.compactMap { Certificate(der: $0) }, lists: found.lists,
        answers: found.answers))
    guard (try? Sealer.level(of: proven, at: clock.now)) == .longTerm else {
      return .missing("\(missing) (what was found does not prove all of the seal's certificates)")
    }
    return .file(proven, .longTerm)
  }

  /// The file with an archive time stamp over all of its content. If it has such a stamp already, the proofs of that
  /// one are added first, so that the stamps form a chain.
  private func attested(_ bytes: [UInt8], _ tenant: Tenant) async throws -> Raised {
    let missing = SealStep.archive.missing
    do {
      let before = try ArchiveTime(of: bytes)
      var whole = bytes
      if let before { whole = try await proving(before.token, in: bytes, tenant) }
      let draft = try SealDraft(whole, SealRequest(), at: nil)
      let answer = try await papers.attest(draft.digest, tenant: tenant)
      guard answer.problem.isEmpty else { return .missing("\(missing) (\(answer.problem))") }
      let complete = try checked(try? draft.complete(with: answer.token))
      guard let time = try ArchiveTime(of: complete), try Sealer.level(of: complete, at: clock.now) == .archived else {
        return .missing("\(missing) (what is in the file does not prove all of its seal)")
      }
      if let before, time.validUntil <= before.validUntil { return .notLonger }
      return .file(complete, .archived, time)
    } catch let error as SealingError {
      return .missing("\(missing) (\(error.description))")
    }
  }

  /// The file with the proofs of one of its time stamps; unchanged if nobody publishes revocations for that stamp.
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

  /// Returns the file if a verifier accepts its seal, and throws otherwise: another service made the seal.
  private func checked(_ sealed: [UInt8]?) throws(CopyProblem) -> [UInt8] {
    guard let sealed else { throw CopyProblem(.sealing, "bad_seal", "the seal that came back does not fit the file") }
    let report = DocumentVerifier(trusting: Trust(), at: clock.now).verify(sealed)
    guard report.isIntact else {
      throw CopyProblem(.sealing, "bad_seal", "what came back is no seal of the file")
    }
    return sealed
  }
}
