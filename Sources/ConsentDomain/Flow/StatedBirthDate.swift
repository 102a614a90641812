package import ConsentContract

extension SessionState {
  /// The birth date, if the session may show it. A date that was stated elsewhere counts here too, but is not shown.
  package var statedBirthDate: CalendarDate? { birthDateStated ? birthDate : nil }
}
