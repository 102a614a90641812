import ConsentContract
import ConsentService
import Storage
import Testing

/// What time alone brings, when a test says so.
extension World {
  /// Runs the periodic tasks that are due, none of which may fail.
  ///
  /// - Parameter services: those of another process; nil for this world's own.
  func runPeriodicTasks(of services: ConsentServices? = nil) async {
    let services = services ?? self.services
    let tasks = services.periodicTasks(every: .seconds(60))
    await PeriodicTaskRunner(services.database, tasks) { Issue.record("\($0): \($1)") }.runDue()
  }

  /// Has the study keep data for ten days after the last consent has ended.
  func keepTenDays() async throws {
    _ = try await admin.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", retentionDays: 10)))
  }
}
