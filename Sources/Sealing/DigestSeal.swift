public import Base

extension Sealer {
  /// A seal that is not in a file yet.
  public struct Seal: Sendable {
    /// CMS in DER, for `SealDraft.complete` or `LastSeal.replaced`.
    public let signature: [UInt8]
    public let level: Level
    /// Why the time is not attested although it should be.
    public let timeStampProblem: String?
  }

  /// The seal for a digest of SHA-256, with the time attested if there is an authority and it answers.
  public func seal(digest: [UInt8], at now: Instant) async throws(SealingError) -> Seal {
    try check(at: now)
    return try await timed(try sign(digest: digest), at: now)
  }

  /// The same signature without an attested time, which may be larger than the room that was kept free for it.
  public static func withoutTime(_ signature: [UInt8]) throws(SealingError) -> [UInt8] {
    do throws(DERFault) {
      return try SignedDataWriter.withoutTimes(signature)
    } catch {
      throw .refused(error.finding)
    }
  }

  /// A seal that was made while no authority answered, asked again.
  public func timed(_ signature: [UInt8], at now: Instant) async throws(SealingError) -> Seal {
    let (extended, problem) = try await withTime(signature, now: now)
    return Seal(
      signature: extended ?? signature, level: extended == nil ? .basic : .timed, timeStampProblem: problem)
  }
}
