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
  /// - Parameter canWait: the task that hands it over is about to wait. Where the reactor's own threads run that task, one of them
  ///   then sees to it without being told.
  @discardableResult
  package func submit(_ work: consuming Work, canWait: Bool = false) -> Bool {
    guard self.work.add(work) else { return false }
    crew.wantTurn(canWait: canWait)
    return true
  }

  func close() {
    work.close()
    crew.wantTurn(canWait: false)
  }
}
