internal import Synchronization

/// What other threads hand to a reactor. It is woken only when it sleeps, however much arrives.
package final class ReactorInbox<Work: Sendable>: Sendable {
  let jobs: ReactorJobs
  private let work = HandoverQueue<Work>()

  init() throws(ZeroMQError) {
    jobs = ReactorJobs(bell: try ReactorBell())
  }

  var bell: ReactorBell { jobs.bell }

  /// Hands over `work`; false when the reactor has stopped and will never see it.
  @discardableResult
  package func submit(_ work: consuming Work) -> Bool {
    guard self.work.add(work) else { return false }
    bell.ring()
    return true
  }

  func close() {
    work.close()
    bell.ring()
  }

  /// Announces that the reactor is about to sleep; false when it must not, because something waits.
  func prepareToSleep() -> Bool {
    bell.listen()
    guard work.hasNews || jobs.hasNews else { return true }
    bell.ignore()
    return false
  }

  /// Exchanges what waits for the empty `buffer`; false once the inbox is closed and empty.
  func take(into buffer: inout [Work]) -> Bool {
    bell.ignore()
    return work.take(into: &buffer)
  }

  /// The jobs that came too late; nothing is taken from now on.
  func lastJobs() -> [UnownedJob] {
    work.close()
    return jobs.last()
  }
}

/// Parts of tasks, to be run by a reactor between two turns.
///
/// Not generic, and so not a part of the inbox that knows what work is: an executor is asked by those who know nothing of it, and
/// would look up types at run time.
final class ReactorJobs: Sendable {
  let bell: ReactorBell
  private let queue = HandoverQueue<UnownedJob>()

  init(bell: ReactorBell) {
    self.bell = bell
  }

  /// False when the reactor has stopped.
  func submit(_ job: UnownedJob) -> Bool {
    guard queue.add(job) else { return false }
    bell.ring()
    return true
  }

  var hasNews: Bool { queue.hasNews }

  /// Exchanges the jobs that wait for the empty `buffer`.
  func take(into buffer: inout [UnownedJob]) {
    _ = queue.take(into: &buffer)
  }

  /// What waits; none is taken from now on.
  func last() -> [UnownedJob] {
    queue.close()
    var jobs: [UnownedJob] = []
    _ = queue.take(into: &jobs)
    return jobs
  }
}

/// Wakes a reactor that sleeps.
///
/// Whoever has something for it adds that first and rings then; the reactor listens first and looks then. So one of the two sees
/// the other, because the queue between them has a lock.
final class ReactorBell: Sendable {
  let wakeup: Wakeup
  private let isListening = Atomic(false)

  init() throws(ZeroMQError) {
    wakeup = try Wakeup()
  }

  func listen() { isListening.store(true, ordering: .sequentiallyConsistent) }

  func ignore() { isListening.store(false, ordering: .relaxed) }

  func ring() {
    guard isListening.load(ordering: .sequentiallyConsistent),
      isListening.exchange(false, ordering: .relaxed)
    else { return }
    wakeup.signal()
  }
}
