/// Why a document cannot be sealed.
public enum SealingError: Error, Hashable, Sendable, CustomStringConvertible {
  case key(String)
  case file(String)
  /// The signature has more bytes than were reserved for it.
  case noRoom(needed: Int, reserved: Int)
  case refused(String)

  public var description: String {
    switch self {
    case .key(let finding): finding
    case .file(let finding): "the file cannot be sealed: \(finding)"
    case .noRoom(let needed, let reserved):
      "the signature has \(needed) bytes, and \(reserved) were reserved for it"
    case .refused(let finding): "the document cannot be signed: \(finding)"
    }
  }
}
