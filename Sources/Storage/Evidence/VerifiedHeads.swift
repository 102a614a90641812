internal import Base
internal import Synchronization

/// A cache of the last verified head of each log and each map of rows, so that each signature is verified once.
final class VerifiedHeads: Sendable {
  private let heads = Mutex<[String: SignedCheckpoint]>([:])

  /// The head in a note; nil if none of the keys signed it, or its origin does not end with `name`.
  func head(_ note: String, named name: String, by keys: [VerifyingKey]) -> SignedCheckpoint? {
    if let known = heads.withLock({ $0[name] }), known.note == note { return known }
    guard let head = try? SignedCheckpoint(note: note), head.checkpoint.origin.hasSuffix(name),
      head.isSigned(byOneOf: keys)
    else { return nil }
    heads.withLock { $0[name] = head }
    return head
  }
}
