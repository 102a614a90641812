internal import Base

/// The state of one of a reactor's threads.
final class CrewMember {
  unowned let crew: ReactorCrew
  /// It runs a job, and not the reactor's own work.
  var isInTask = false
  /// What it ran left work for the next turn.
  var wantsTurn = false

  private static let mark = ThreadMark<CrewMember>()

  private init(of crew: ReactorCrew) {
    self.crew = crew
  }

  /// Makes the current thread one of the pool's; the result must be kept as long as the thread belongs to the pool.
  static func join(_ crew: ReactorCrew) -> CrewMember {
    let member = CrewMember(of: crew)
    mark.set(for: member)
    return member
  }

  /// The current thread's state; nil on a thread that belongs to no reactor.
  static var current: CrewMember? { mark.owner }
}
