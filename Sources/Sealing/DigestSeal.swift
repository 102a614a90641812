public import Base

extension Sealer {
  /// A seal that is not in a file yet.
  public struct Seal: Sendable {
    /// CMS in DER, for `SealDraft.complete` or `LastSeal.replaced`.
    public let signature: [UInt8]
    public let level: Level
    /// Why the time is not attested although an authority was asked.
    public let timeStampProblem: String?
  }

  /// Seals a SHA-256 digest. The time is attested if there is an authority and it answers.
  public func seal(digest: [UInt8], at now: Instant) async throws(SealingError) -> Seal {
    try check(at: now)
    return try await timed(try sign(digest: digest), at: now)
  }

  /// The same signature without attested times, for when these made it larger than the room in the file.
  public static func withoutTime(_ signature: [UInt8]) throws(SealingError) -> [UInt8] {
    do throws(DERFault) {
      return try SignedDataWriter.withoutTimes(signature)
    } catch {
      throw .refused(error.finding)
    }
  }

  /// Asks again for an attested time, for a seal that was made while no authority answered.
  public func timed(_ signature: [UInt8], at now: Instant) async throws(SealingError) -> Seal {
    let (extended, problem) = try await withTime(signature, now: now)
    return Seal(
      signature: extended ?? signature, level: extended == nil ? .basic : .timed, timeStampProblem: problem)
  }
}
