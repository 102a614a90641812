/// Whether the current thread is a reactor's: for tests.
package enum ReactorThread {
  package static var isCurrent: Bool { CrewMember.current != nil }
}
