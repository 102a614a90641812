extension String {
  /// The beginning of a name that a caller chose, for the field or the message of an error: the whole of every name
  /// that is allowed. It counts scalars, since one character may be as long as a request.
  package var shortened: String { String(unicodeScalars.prefix(80)) }
}
