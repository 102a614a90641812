/// Why a name cannot be set.
public struct TypesettingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Sendable {
    /// The name has a letter that no font here has.
    case unknownLetter
    /// A font that is needed is not installed, or is broken.
    case fontMissing
    /// Nothing of the name would be seen.
    case invisible
  }

  public let reason: Reason
  public let description: String
}
