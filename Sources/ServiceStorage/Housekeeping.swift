public import ServiceKit
public import Storage

/// The settings of the periodic tasks in services that keep data. Names mean the same in every program.
public struct HousekeepingSettings: SettingGroup {
  public let interval = Setting(
    "housekeeping-interval", default: Duration.seconds(60), in: .seconds(1) ... .seconds(86_400),
    "how often to end or delete what has expired: sessions, consents, retention periods, stored answers, finished jobs")
  public let keepFinishedJobs = Setting(
    "keep-finished-jobs", default: Duration.seconds(7 * 86_400), in: .seconds(60) ... .seconds(365 * 86_400),
    "how long finished jobs are kept")

  public init() {}
}

extension ServiceHost {
  /// Runs the periodic tasks of Storage and of the service until the process ends; failures are logged.
  public func keepHouse(
    in database: Database, _ settings: Settings<HousekeepingSettings>,
    _ own: (_ interval: Duration) -> [Duty] = { _ in [] }
  ) async {
    let interval = settings[\.interval]
    let upkeep = Duty.upkeep(of: database, every: interval, keepingJobs: settings[\.keepFinishedJobs])
    let log = log
    let runner = DutyRunner(database, own(interval) + upkeep) { duty, error in
      log.warn("housekeeping failed", ["duty": duty, "error": "\(error)"])
    }
    let running = Task { await runner.run() }
    await lifecycle.onStop("housekeeping") {
      running.cancel()
      await running.value
    }
  }
}
