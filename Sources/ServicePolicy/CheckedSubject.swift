public import Storage

// Which identifiers are accepted depends on where one comes from: earlier releases accepted names that are now refused
// for new people, so stored data and requests about people on record may still contain them.

extension Subject {
  /// The subject that a request names for the first time. A name with a prefix that services reserve is refused.
  ///
  /// - Parameter field: the request's field that holds the name.
  public static func checked(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    let subject = try named(id, field: field)
    try ReservedPrefix.check(id, field: field)
    return subject
  }

  /// The subject of a request about somebody who may be on record already, under any name that any release accepted. If
  /// nothing is on record under the name, the code that calls this has to refuse the request or do nothing.
  ///
  /// - Parameter field: the request's field that holds the name.
  public static func named(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    guard let subject = Subject(id) else {
      // The value may be a person's name, so it is not repeated.
      let message = "\(field) names no subject; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    return subject
  }

  /// The subject that a stored row names, under any name that any release accepted.
  public static func stored(_ id: String) throws(DatabaseError) -> Subject {
    guard let subject = Subject(id) else { throw DatabaseError(.corrupt, "a row names no subject: it was altered") }
    return subject
  }
}
