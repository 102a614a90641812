import ConsentContract
import ConsentService
import Storage
import Synchronization
import Testing

/// What time alone brings, when a test says so.
extension World {
  /// Runs the periodic tasks that are due, none of which may fail.
  ///
  /// - Parameter services: those of another process; nil for this world's own.
  func runPeriodicTasks(of services: ConsentServices? = nil) async {
    for failure in await failuresOfPeriodicTasks(of: services) { Issue.record("\(failure)") }
  }

  /// Runs them, and returns the failures, each with the name of its task.
  func failuresOfPeriodicTasks(of services: ConsentServices? = nil) async -> [String] {
    let services = services ?? self.services
    let tasks = services.periodicTasks(every: .seconds(60))
    let failures = Mutex<[String]>([])
    await PeriodicTaskRunner(services.database, tasks) { task, error in
      failures.withLock { $0.append("\(task): \(error)") }
    }.runDue()
    return failures.withLock { $0 }
  }

  /// Has the study keep data for ten days after the last consent has ended.
  func keepTenDays() async throws {
    _ = try await admin.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", retentionDays: 10)))
  }
}
