internal import Base

/// What one of a reactor's threads knows of itself.
final class CrewMember {
  unowned let crew: ReactorCrew
  /// Runs a part of a task, and not the reactor's own work.
  var isInTask = false
  /// What it ran left something for the next turn.
  var wantsTurn = false

  private static let mark = ThreadMark<CrewMember>()

  /// - Parameter crew: the current thread's, from now on.
  init(of crew: ReactorCrew) {
    self.crew = crew
    Self.mark.set(for: self)
  }

  /// The current thread's; nil on a thread of no reactor.
  static var current: CrewMember? { mark.owner }
}

/// Knows whether the current thread is a reactor's.
package enum ReactorThread {
  package static var isCurrent: Bool { CrewMember.current != nil }
}
