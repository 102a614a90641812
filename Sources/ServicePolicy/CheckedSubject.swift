public import Storage

// Where an identifier comes from decides what may be in it: earlier releases took names that no new person gets.

extension Subject {
  /// The subject that a request names for the first time: a person, and nothing that services keep for themselves.
  ///
  /// - Parameter field: the field that names it.
  public static func checked(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    let subject = try named(id, field: field)
    try ReservedPrefix.check(id, field: field)
    return subject
  }

  /// The subject of a request about somebody who may be on record already, under any name that was ever taken. Whoever
  /// calls this refuses, or does nothing for, a name of which nothing is on record.
  ///
  /// - Parameter field: the field that names it.
  public static func named(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    guard let subject = Subject(id) else {
      // The value may be a person's name, so it is not repeated.
      let message = "\(field) names no subject; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    return subject
  }

  /// The subject of something that is stored, under any name that was ever taken.
  public static func stored(_ id: String) throws(DatabaseError) -> Subject {
    guard let subject = Subject(id) else { throw DatabaseError(.corrupt, "a row names no subject: it was altered") }
    return subject
  }
}
