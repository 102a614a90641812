/// The streams to which services append their events.
public enum EventStream {
  /// That of a person. If the check of the data finds something wrong with what its events committed to, nothing is
  /// answered about the person.
  public static func subject(_ id: String) -> String { "subject:\(id)" }
}
