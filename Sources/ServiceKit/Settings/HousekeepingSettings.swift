/// How a service that keeps data looks after it. The same names mean the same in every program.
public struct HousekeepingSettings: SettingGroup {
  public let interval = Setting(
    "housekeeping-interval", default: Duration.seconds(60), in: .seconds(1) ... .seconds(86_400),
    "how often to look for what has run out: sessions, consents, retention periods, kept answers, finished jobs")
  public let keepFinishedJobs = Setting(
    "keep-finished-jobs", default: Duration.seconds(7 * 86_400), in: .seconds(60) ... .seconds(365 * 86_400),
    "how long jobs that are done stay known")

  public init() {}
}
