internal import Base

/// What one of a reactor's threads knows of itself.
final class CrewMember {
  unowned let crew: ReactorCrew
  /// Runs a part of a task, and not the reactor's own work.
  var isInTask = false
  /// What it ran left something for the next turn.
  var wantsTurn = false

  private static let mark = ThreadMark<CrewMember>()

  private init(of crew: ReactorCrew) {
    self.crew = crew
  }

  /// Makes the current thread one of the crew's; the answer must be held as long as the thread is one.
  static func join(_ crew: ReactorCrew) -> CrewMember {
    let member = CrewMember(of: crew)
    mark.set(for: member)
    return member
  }

  /// The current thread's; nil on a thread of no reactor.
  static var current: CrewMember? { mark.owner }
}
