import Authorities
import Base
import Sealing

/// Raises the level of a file's seal as far as authorities answer, as ConsentService does for its copies. Each step
/// that succeeds is kept, so that a later try with the returned file continues where this one failed.
struct SealRaiser: Sendable {
  private let sealer: Sealer
  private let collector: ProofCollector

  init(_ sealer: Sealer, _ collector: ProofCollector) {
    self.sealer = sealer
    self.collector = collector
  }

  struct Raised: Sendable {
    let bytes: [UInt8]
    /// The level that was reached.
    let level: Level
    /// Why the wanted level was not reached; nil: it was. A step that failed is to be tried again.
    let problem: String?
  }

  func raise(_ pdf: [UInt8], to wanted: Level, at now: Instant) async throws(SealingError) -> Raised {
    guard var level = try Sealer.level(of: pdf, at: now) else { throw .refused("nothing in the file is signed") }
    var bytes = pdf
    do throws(SealingError) {
      if level == .basic, wanted > .basic {
        let timed = try await sealer.addTime(to: bytes, now: now)
        guard timed.timeStampProblem == nil, timed.level == .timed else {
          return Raised(
            bytes: pdf, level: level, problem: timed.timeStampProblem ?? "there is no time-stamping authority")
        }
        (bytes, level) = (timed.bytes, .timed)
      }
      if level == .timed, wanted > .timed {
        guard let proofs = try await collector.proofs(forSeal: LastSeal(of: bytes).signature, at: now) else {
          return Raised(bytes: bytes, level: level, problem: "there is nobody to ask")
        }
        bytes = try Sealer.addProofs(
          to: bytes, certificates: proofs.certificates, lists: proofs.lists, answers: proofs.answers)
        level = .longTerm
      }
      if level == .longTerm, wanted > .longTerm {
        bytes = try await sealer.addDocumentTime(to: bytes, now: now)
        level = .archived
      }
    } catch {
      return Raised(bytes: bytes, level: level, problem: error.description)
    }
    return Raised(bytes: bytes, level: level, problem: nil)
  }
}
