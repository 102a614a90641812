/// Something that was changed after a signature.
public struct Change: Hashable, Sendable {
  enum Standing {
    /// It leaves the signature valid, as a further signature or proofs for one do.
    case permitted
    /// Nobody permitted it, and nobody forbade it.
    case open
    /// The document is another one, or a signature forbids the change.
    case forbidden
  }

  let standing: Standing
  /// Whether the change is a further signature of a person.
  let isSignature: Bool
  /// In plain words.
  public let description: String

  init(_ standing: Standing, _ description: String, isSignature: Bool = false) {
    (self.standing, self.description, self.isSignature) = (standing, description, isSignature)
  }

  /// Whether it leaves a signature valid.
  public var isExpected: Bool { standing == .permitted }

  /// What it says against the signature; nil if nothing.
  var finding: Finding? {
    switch standing {
    case .permitted: nil
    case .open: Finding(.generic, description)
    case .forbidden: Finding(.formatFailure, description)
    }
  }

  static func expected(_ description: String, isSignature: Bool = false) -> Change {
    Change(.permitted, description, isSignature: isSignature)
  }

  static func unexpected(_ description: String) -> Change { Change(.forbidden, description) }
}
