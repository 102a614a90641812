internal import Base
internal import Synchronization

/// The newest head of each log, and of each map of rows, whose signature was verified: each is read and verified once.
final class VerifiedHeads: Sendable {
  private let heads = Mutex<[String: SignedCheckpoint]>([:])

  /// The head that a note states; nil when none of the keys signed it, or its origin does not end with `name`.
  func head(_ note: String, named name: String, by keys: [VerifyingKey]) -> SignedCheckpoint? {
    if let known = heads.withLock({ $0[name] }), known.note == note { return known }
    guard let head = try? SignedCheckpoint(note: note), head.checkpoint.origin.hasSuffix(name),
      head.isSigned(byOneOf: keys)
    else { return nil }
    heads.withLock { $0[name] = head }
    return head
  }
}
