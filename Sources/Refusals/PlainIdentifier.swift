internal import Base

/// Checks identifiers by which callers name things, such as a device, a session or a document. They stay on record for
/// good, even after the person to whom the thing belongs is erased. So words such as "Wilhelmina's tablet" are refused.
public enum PlainIdentifier {
  /// Refuses a text that is no identifier. An empty text is accepted: it names nothing.
  ///
  /// - Parameter field: the request's field that holds the text.
  public static func check(_ text: String, field: String) throws(Refusal) {
    guard text.isEmpty || text.isIdentifier else {
      // The value may tell of a person, so it is not repeated.
      let message = "\(field) is no identifier; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
  }
}
