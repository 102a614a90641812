package import ConsentContract

extension SessionState {
  /// The birth date as the session may show it. A date that was stated elsewhere counts here too, and is not told.
  package var toldBirthDate: CalendarDate? { birthDateTold ? birthDate : nil }
}
