/// Work that other threads submit to a reactor, in order.
package final class ReactorInbox<Work: Sendable>: Sendable {
  private let work: HandoverQueue<Work>
  private let pool: ReactorThreadPool

  init(_ work: HandoverQueue<Work>, for pool: ReactorThreadPool) {
    self.work = work
    self.pool = pool
  }

  /// Submits `work`; false when the reactor has stopped and will never see it.
  ///
  /// - Parameter isLast: whether the task that submits it ends with this, or waits for its next call. If one of the
  ///   reactor's own threads runs that task, the thread takes the turn itself.
  @discardableResult
  package func submit(_ work: consuming Work, isLast: Bool = false) -> Bool {
    guard self.work.add(work) else { return false }
    pool.wantTurn(byEnding: isLast)
    return true
  }

  func close() {
    work.close()
    pool.wantTurn(byEnding: false)
  }
}
