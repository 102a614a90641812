public import Base
internal import PDF

/// Seals documents: signs them, has the time attested, and adds the proofs that let both be checked for years.
public struct Sealer: Sendable {
  private let key: SealKey
  private let stamper: (any TimeStamper)?
  private let nonce: @Sendable () -> [UInt8]

  /// - Parameters:
  ///   - stamper: the time-stamping authority; nil for signatures without an attested time.
  ///   - nonce: eight random bytes or more for each time stamp.
  public init(key: SealKey, stamper: (any TimeStamper)? = nil, nonce: @escaping @Sendable () -> [UInt8]) {
    self.key = key
    self.stamper = stamper
    self.nonce = nonce
  }

  /// Whether a time-stamping authority is asked for the time.
  public var asksForTime: Bool { stamper != nil }

  /// The key's certificate.
  public var certificate: Certificate { key.certificate }

  /// The subject of the key's certificate.
  public var subject: String { certificate.subject }

  /// Throws when `now` is outside the validity of the key's certificate.
  public func check(at now: Instant) throws(SealingError) { try key.check(at: now) }

  public struct Sealed: Sendable {
    public let bytes: [UInt8]
    public let level: Level
    /// Why the time is not attested although an authority was asked. `addTime` tries again.
    public let timeStampProblem: String?
  }

  /// Signs a file, with the time attested if there is an authority and it answers. A failure of the authority is not a
  /// failure of the seal: the level tells what was reached.
  public func seal(
    _ pdf: [UInt8], _ request: SealRequest = SealRequest(), at now: Instant
  ) async throws(SealingError) -> Sealed {
    try key.check(at: now)
    let draft = try SealDraft(pdf, request, at: now)
    let signature = try sign(digest: draft.digest)
    let (extended, problem) = try await withTime(signature, now: now)
    guard let extended else {
      return Sealed(bytes: try draft.complete(with: signature), level: .basic, timeStampProblem: problem)
    }
    do throws(SealingError) {
      return Sealed(bytes: try draft.complete(with: extended), level: .timed, timeStampProblem: nil)
    } catch {
      // An unusable answer of the authority does not prevent the seal.
      return Sealed(
        bytes: try draft.complete(with: signature), level: .basic, timeStampProblem: error.description)
    }
  }

  /// Signs a SHA-256 digest, which is all that a process with a key needs to know of a document.
  public func sign(digest: [UInt8]) throws(SealingError) -> [UInt8] {
    try SignedDataWriter.sign(digest: digest, key)
  }

  /// The signature with a time stamp, or the reason why there is none.
  func withTime(
    _ signature: [UInt8], now: Instant
  ) async throws(SealingError) -> (extended: [UInt8]?, problem: String?) {
    guard let stamper else { return (nil, nil) }
    do {
      let value = try SignedMessage(signature).signature
      let request = TimeStampRequest(covering: value, nonce: nonce())
      let token = try request.token(in: try await stamper.answer(to: request.bytes), now: now)
      return (try SignedDataWriter.adding(token: token, to: signature), nil)
    } catch let fault as DERFault {
      return (nil, fault.finding)
    } catch {
      return (nil, "\(error)")
    }
  }

  /// Adds an attested time to the last signature, if the authority had not answered before. Nothing that is signed
  /// changes.
  public func addTime(to pdf: [UInt8], now: Instant) async throws(SealingError) -> Sealed {
    let last = try LastSeal(of: pdf)
    let (extended, problem) = try await withTime(last.signature, now: now)
    guard let extended else { return Sealed(bytes: pdf, level: .basic, timeStampProblem: problem) }
    do throws(SealingError) {
      return Sealed(bytes: try last.replaced(by: extended), level: .timed, timeStampProblem: nil)
    } catch {
      return Sealed(bytes: pdf, level: .basic, timeStampProblem: error.description)
    }
  }

  /// Adds certificates, revocation lists and OCSP responses, so that the signature can be checked even when nobody
  /// publishes them any more.
  public static func addProofs(
    to pdf: [UInt8], certificates: [Certificate], lists: [[UInt8]], answers: [[UInt8]] = []
  ) throws(SealingError) -> [UInt8] {
    do throws(PDFReadError) {
      return try ProofStore.adding(certificates.map(\.der), lists, answers, to: PDFFile(pdf))
    } catch {
      throw .file(error.description)
    }
  }

  /// Adds an attested time over the whole file, which keeps the proofs good after the certificates have expired.
  public func addDocumentTime(to pdf: [UInt8], now: Instant) async throws(SealingError) -> [UInt8] {
    let draft = try SealDraft(pdf, SealRequest(), at: nil)
    return try draft.complete(with: try await documentTime(digest: draft.digest, now: now))
  }

  /// A token with the attested time over a whole file, of which the authority only gets the SHA-256 digest.
  public func documentTime(digest: [UInt8], now: Instant) async throws(SealingError) -> [UInt8] {
    guard let stamper else { throw .refused("there is no time-stamping authority") }
    let request = TimeStampRequest(digest: digest, nonce: nonce())
    do {
      return try request.token(in: try await stamper.answer(to: request.bytes), now: now)
    } catch let fault as DERFault {
      throw .refused(fault.finding)
    } catch {
      throw .refused("\(error)")
    }
  }
}

/// How much a signature proves, by ETSI EN 319 142-1.
public enum Level: String, Comparable, Sendable {
  /// PAdES B-B: who signed what.
  case basic = "B-B"
  /// PAdES B-T: and that it existed at an attested time.
  case timed = "B-T"
  /// PAdES B-LT: and the file has the proofs.
  case longTerm = "B-LT"
  /// PAdES B-LTA: and these were there at an attested time.
  case archived = "B-LTA"

  private var rank: Int {
    switch self {
    case .basic: 0
    case .timed: 1
    case .longTerm: 2
    case .archived: 3
    }
  }

  public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
}
