public import Storage

extension Subject {
  /// The subject that a request names: a person, and nothing that services keep for themselves.
  ///
  /// - Parameter field: the field that names it.
  public static func checked(_ id: String, field: String = "subject_id") throws(Refusal) -> Subject {
    guard let subject = Subject(id) else {
      // The value may be a person's name, so it is not repeated.
      let message = "\(field) names no subject; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    try ReservedPrefix.check(id, field: field)
    return subject
  }
}
