public import Storage

extension Subject {
  /// The person whom a request names. A name with a prefix that services reserve is refused. If nothing is on record
  /// under the name, the code that calls this has to refuse the request or do nothing.
  ///
  /// - Parameter field: the request's field that holds the name.
  public static func named(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    guard let subject = Subject(id) else {
      // The value may be a person's name, so it is not repeated.
      let message = "\(field) names no subject; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    try ReservedPrefix.check(id, field: field)
    return subject
  }

  /// The subject that a stored row names.
  public static func stored(_ id: String) throws(DatabaseError) -> Subject {
    guard let subject = Subject(id) else { throw DatabaseError(.corrupt, "a row names no subject: it was altered") }
    return subject
  }
}
