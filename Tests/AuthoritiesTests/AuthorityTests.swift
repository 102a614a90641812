import Authorities
import Base
import Sealing
import Testing

/// Seals that authorities vouch for, over HTTP.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AuthorityTests {
  @Test("a seal is raised to B-LTA by openssl's authorities, and is valid without asking anybody")
  func raised() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let sealed = try await authorities.sealer().seal(RunningAuthorities.document, at: now)
    #expect(sealed.timeStampProblem == nil)
    #expect(authorities.verify(sealed.bytes).signatures.first?.level == .timed)
    let collector = ProofCollector(authorities.client(), knowing: [authorities.root])
    let raiser = SealRaiser(try authorities.sealer(), collector)
    let proven = try await raiser.raise(sealed.bytes, to: .longTerm, at: now)
    #expect(proven.level == .longTerm && proven.problem == nil, "\(proven.problem ?? "")")
    let report = authorities.verify(proven.bytes)
    #expect(report.verdict == .passed && report.signatures.first?.level == .longTerm, "\(report.lines)")
    let archived = try await raiser.raise(proven.bytes, to: .archived, at: now)
    #expect(archived.level == .archived && archived.problem == nil, "\(archived.problem ?? "")")
    let last = authorities.verify(archived.bytes)
    #expect(last.verdict == .passed && last.signatures.first?.level == .archived, "\(last.lines)")
    // What is reached already is not done again.
    #expect(try await raiser.raise(archived.bytes, to: .archived, at: now).bytes == archived.bytes)
  }

  @Test("a seal's proofs are found without the file that it is in, from those that are asked or from lists in files")
  func proofsOfSeals() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let sealed = try await authorities.sealer().seal(RunningAuthorities.document, at: now)
    let signature = try LastSeal(of: sealed.bytes).signature
    let asking = ProofCollector(authorities.client(), knowing: [authorities.root])
    let found = try #require(try await asking.proofs(forSeal: signature, at: now))
    #expect(!found.answers.isEmpty && found.certificates.contains(authorities.root))
    let before = authorities.requests.count
    let offline = ProofCollector(
      authorities.client(allowing: []), knowing: [authorities.root], lists: [try authorities.list()])
    let listed = try #require(try await offline.proofs(forSeal: signature, at: now))
    let list = try authorities.list()
    #expect(listed.answers.isEmpty && listed.lists == [list])
    #expect(authorities.requests.count == before)
    for proofs in [found, listed] {
      let proven = try Sealer.addProofs(
        to: sealed.bytes, certificates: proofs.certificates, lists: proofs.lists, answers: proofs.answers)
      let level = try Sealer.level(of: proven, at: now)
      #expect(level == .longTerm)
      #expect(authorities.verify(proven).verdict == .passed)
    }
    let strict = ProofCollector(authorities.client(allowing: []), knowing: [authorities.root])
    await #expect(throws: SealingError.self) { try await strict.proofs(forSeal: signature, at: now) }
    await #expect(throws: SealingError.self) { try await asking.proofs(forSeal: [0x30, 0], at: now) }
  }

  @Test("a certificate that vouches for itself, and one that names nobody, have no proofs to wait for")
  func nobodyToAsk() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let asking = ProofCollector(authorities.client(), knowing: [authorities.root])
    let own = try KeyMaker.make(name: "Own", from: now + .seconds(-60), until: now + .seconds(3600), serial: [1])
    for key in [own, try authorities.key("responder")] {
      let sealer = Sealer(key: key, nonce: { Randomness.system.bytes(16) })
      let sealed = try await sealer.seal(RunningAuthorities.document, at: now)
      let found = try await asking.proofs(forSeal: try LastSeal(of: sealed.bytes).signature, at: now)
      #expect(found == nil)
    }
  }

  @Test(
    "an authority that does wrong leaves B-B on record, and the next try raises it",
    arguments: ["down", "page", "garbage", "cut", "old", "flipped", "big", "hang", "drip", "moved", "nowhere"])
  func wrong(kind: String) async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    _ = try await authorities.sealer().seal(RunningAuthorities.document, at: now)
    let client = authorities.client(timeout: .seconds(2))
    let sealer = try authorities.sealer(at: "/tsa/\(kind)", client)
    let sealed = try await sealer.seal(RunningAuthorities.document, at: now)
    #expect(sealed.level == .basic)
    #expect(sealed.timeStampProblem != nil)
    #expect(authorities.verify(sealed.bytes).verdict == .passed)
    #expect(authorities.verify(sealed.bytes).signatures.first?.level == .basic)
    let collector = ProofCollector(client, knowing: [authorities.root])
    let failed = try await SealRaiser(sealer, collector).raise(sealed.bytes, to: .timed, at: now)
    #expect(failed.level == .basic && failed.problem != nil && failed.bytes == sealed.bytes)
    let raised = try await SealRaiser(try authorities.sealer(), collector).raise(sealed.bytes, to: .timed, at: now)
    #expect(raised.level == .timed && raised.problem == nil)
    #expect(authorities.verify(raised.bytes).signatures.first?.level == .timed)
  }

  @Test("an authority inside the network is not asked unless its addresses are allowed")
  func guarded() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let strict = authorities.client(allowing: [])
    let sealed = try await authorities.sealer("seal", at: "/tsa", strict).seal(RunningAuthorities.document, at: now)
    #expect(sealed.level == .basic)
    #expect(sealed.timeStampProblem?.contains("requests may not go") == true, "\(sealed.timeStampProblem ?? "")")
    // Nor is a responder that a certificate names.
    let timed = try await authorities.sealer("inner").seal(RunningAuthorities.document, at: now)
    let collector = ProofCollector(authorities.client(), knowing: [authorities.root])
    let raised = try await SealRaiser(try authorities.sealer("inner"), collector)
      .raise(timed.bytes, to: .longTerm, at: now)
    #expect(raised.level == .timed)
    #expect(raised.problem?.contains("requests may not go") == true, "\(raised.problem ?? "")")
  }

  @Test("a revoked signer is refused by the responder's answer, and such an answer in a file counts")
  func revoked() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let sealed = try await authorities.sealer("revoked").seal(RunningAuthorities.document, at: now)
    let collector = ProofCollector(authorities.client(), knowing: [authorities.root])
    let raised = try await SealRaiser(try authorities.sealer("revoked"), collector)
      .raise(sealed.bytes, to: .longTerm, at: now)
    #expect(raised.level == .timed)
    #expect(raised.problem?.contains("was revoked on") == true, "\(raised.problem ?? "")")
    let needs = try ProofNeeds(ofSeal: LastSeal(of: sealed.bytes).signature, knowing: [authorities.root], at: now)
    let question = try #require(needs.questions.first { $0.certificate.subject.contains("revoked") })
    let answer = try await authorities.ask(question)
    let kept = try Sealer.addProofs(to: sealed.bytes, certificates: needs.certificates, lists: [], answers: [answer])
    let report = authorities.verify(kept)
    #expect(report.verdict == .indeterminate, "\(report.lines)")
    #expect(report.lines.joined().contains("was revoked on"), "\(report.lines)")
  }

  @Test("an answer that was altered, or is another's, proves nothing")
  func altered() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let sealed = try await authorities.sealer().seal(RunningAuthorities.document, at: now)
    let needs = try ProofNeeds(ofSeal: LastSeal(of: sealed.bytes).signature, knowing: [authorities.root], at: now)
    let question = try #require(needs.questions.first { !$0.responders.isEmpty })
    let answer = try await authorities.ask(question)
    try question.check(answer: answer, at: now)
    var believed: [Int] = []
    for place in answer.indices {
      var other = answer
      other[place] ^= 0x10
      if (try? question.check(answer: other, at: now)) != nil { believed.append(place) }
    }
    // What is not signed of an answer are the lengths' and the algorithm's other spellings; none is accepted.
    #expect(believed == [])
    for other in needs.questions where other.certificate != question.certificate {
      #expect(throws: SealingError.self) { try other.check(answer: answer, at: now) }
    }
    #expect(throws: SealingError.self) { try question.check(answer: answer, at: now + .days(30)) }
    #expect(throws: SealingError.self) { try question.check(answer: answer, at: now + .days(-2)) }
    #expect(throws: SealingError.self) { try question.check(list: answer, at: now) }
  }

  @Test("verification asks nobody")
  func silent() async throws {
    let authorities = try await RunningAuthorities()
    let now = Clock.system.now
    let sealed = try await authorities.sealer().seal(RunningAuthorities.document, at: now)
    let before = authorities.requests
    #expect(authorities.verify(sealed.bytes).verdict == .passed)
    #expect(authorities.requests == before)
    #expect(!before.isEmpty)
  }
}
