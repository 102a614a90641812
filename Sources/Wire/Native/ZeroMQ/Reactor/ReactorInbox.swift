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
  /// - Parameter thenWaits: the task that hands it over is about to wait, or to end. Where one of the reactor's own threads runs that
  ///   task, it then sees to the work itself.
  @discardableResult
  package func submit(_ work: consuming Work, thenWaits: Bool = false) -> Bool {
    guard self.work.add(work) else { return false }
    crew.wantTurn(thenWaits: thenWaits)
    return true
  }

  func close() {
    work.close()
    crew.wantTurn(thenWaits: false)
  }
}
