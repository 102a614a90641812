/// What is wrong with a piece of evidence: the kind, where, and what was found there.
///
/// Kind and place are the same in every program that checks evidence (docs/evidence.md); the text is for people.
public struct EvidenceProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable {
    /// The bundle is malformed.
    case format
    /// A head is malformed.
    case checkpoint
    /// A head belongs to another log.
    case origin
    /// No trusted key signed the head.
    case signature
    /// An earlier head belongs to another history.
    case consistency
    /// Something was taken out or put in after the service had handed the evidence out.
    case incomplete
    /// An event is not proven to be in the log that the head covers.
    case inclusion
    /// An event occurs twice.
    case duplicate
    /// An event does not follow its predecessor.
    case chain
    /// A row differs from what an event committed to.
    case row
    /// Entries of a list are missing, or others than were added to it.
    case list
    /// A record is of another version than the one that is shown with it.
    case version
    /// An opening does not match its digest.
    case commitment
    /// Bytes do not match their digest.
    case content
    /// A digest is in no event of the bundle.
    case unlinked
    /// A commitment has no opening, although no event records an erasure.
    case unopened
  }

  public let kind: Kind
  public let place: String
  public let detail: String

  init(_ kind: Kind, at place: String, _ detail: String) {
    self.kind = kind
    self.place = Self.plain(place)
    self.detail = Self.plain(detail)
  }

  /// A text of which parts are from a bundle, with each character but those of printable ASCII replaced by its number.
  /// Whoever made the bundle must not be able to end the line, or to move a terminal's cursor, and write a verdict of
  /// their own.
  private static func plain(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      if " "..."~" ~= scalar {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return shown
  }

  public var description: String { "\(kind.rawValue): \(place): \(detail)" }
}
