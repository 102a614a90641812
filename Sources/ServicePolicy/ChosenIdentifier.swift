public import Base

/// The rule for identifiers that devices choose. They are UUIDs of version 7, as our own are: they carry enough
/// randomness that nobody else chooses the same by chance, or foresees it.
public enum ChosenIdentifier {
  public static func check(_ chosen: String, _ field: String) throws(Refusal) {
    let bytes = Array(chosen.utf8)
    let isUUID =
      bytes.count == 36
      && bytes.indices.allSatisfy { index in
        switch index {
        case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
        case 14: bytes[index] == UInt8(ascii: "7")
        case 19: "89ab".utf8.contains(bytes[index])
        default: "0123456789abcdef".utf8.contains(bytes[index])
        }
      }
    guard !isUUID else { return }
    let message = "\(field) is '\(chosen.shortened)'; a chosen identifier is a UUID of version 7, in lower case"
    throw Refusal(.invalid, "bad_identifier", field: field, message)
  }
}

extension IdentifierSource {
  /// The identifier that a device chose for something that it makes, or a new one.
  public func next(unless chosen: String, _ field: String) throws(Refusal) -> String {
    guard !chosen.isEmpty else { return next() }
    try ChosenIdentifier.check(chosen, field)
    return chosen
  }
}
