internal import Base

/// Runs tasks on a reactor's own thread, between its turns: what they ask of the reactor goes out with the next turn, and
/// no other thread has to be woken for it.
///
/// Only for tasks that make calls and wait. One that blocks or computes keeps the reactor from answering pings.
final class ReactorExecutor: TaskExecutor {
  private let jobs: ReactorJobs

  init(_ jobs: ReactorJobs) {
    self.jobs = jobs
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A task must come to its end even when the reactor is gone.
    if !jobs.submit(job) { globalConcurrentExecutor.enqueue(job) }
  }
}
