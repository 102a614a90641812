/// What other threads hand to a reactor, in their order.
package final class ReactorInbox<Work: Sendable>: Sendable {
  private let work: HandoverQueue<Work>
  private let crew: ReactorCrew

  init(_ work: HandoverQueue<Work>, for crew: ReactorCrew) {
    self.work = work
    self.crew = crew
  }

  /// Hands over `work`; false when the reactor has stopped and will never see it.
  ///
  /// - Parameter isLast: the task that hands it over ends with that. Where one of the reactor's own threads runs it, that thread then
  ///   sees to the work itself.
  @discardableResult
  package func submit(_ work: consuming Work, isLast: Bool = false) -> Bool {
    guard self.work.add(work) else { return false }
    crew.wantTurn(byEnding: isLast)
    return true
  }

  func close() {
    work.close()
    crew.wantTurn(byEnding: false)
  }
}
