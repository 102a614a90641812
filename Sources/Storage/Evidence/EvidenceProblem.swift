/// What is wrong with a piece of evidence: the kind, where, and what was found there.
///
/// Kind and place are the same in every program that checks evidence (docs/evidence.md); the text is for people.
public struct EvidenceProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable {
    /// The bundle is not in its form.
    case format
    /// A head is not in its form.
    case checkpoint
    /// A head is another log's.
    case origin
    /// No trusted key signed the head.
    case signature
    /// An earlier head is not of the same history.
    case consistency
    /// An event is not in the log under the head.
    case inclusion
    /// An event stands there twice.
    case duplicate
    /// An event does not follow its predecessor.
    case chain
    /// A row is not what an event committed to.
    case row
    /// An opening is not that of the digest.
    case commitment
    /// Bytes are not those of the digest.
    case content
    /// A digest stands in no event of the bundle.
    case unlinked
    /// A commitment is neither opened nor erased on record.
    case unopened
  }

  public let kind: Kind
  public let place: String
  public let detail: String

  init(_ kind: Kind, at place: String, _ detail: String) {
    self.kind = kind
    self.place = place
    self.detail = detail
  }

  public var description: String { "\(kind.rawValue): \(place): \(detail)" }
}
