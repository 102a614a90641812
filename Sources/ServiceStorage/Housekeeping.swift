public import ServiceKit
public import Storage

/// The settings of the periodic tasks in services that keep data. Names mean the same in every program.
public struct HousekeepingSettings: SettingGroup {
  public let interval = Setting(
    "housekeeping-interval", default: Duration.seconds(60), in: .seconds(1) ... .seconds(86_400),
    "how often to end or delete what has expired: sessions, consents, retention periods, stored answers, ended jobs")
  public let keepFinishedJobs = Setting(
    "keep-finished-jobs", default: Duration.seconds(7 * 86_400), in: .seconds(60) ... .seconds(365 * 86_400),
    "how long jobs are kept that were finished or given up")
  public let evidence = EvidenceSettings()

  public init() {}
}

extension ServiceHost {
  /// Runs the periodic tasks of Storage and of the service until the process ends; failures are logged.
  ///
  /// - Parameter signer: signs the heads of the logs; nil in a service that has no key for it.
  public func runPeriodicTasks(
    in database: Database, _ settings: Settings<HousekeepingSettings>, signingBy signer: EvidenceSigner?,
    _ own: (_ interval: Duration) -> [PeriodicTask] = { _ in [] }
  ) async throws {
    let interval = settings[\.interval]
    let evidence = settings.settings(of: \.evidence)
    let signing = signer.map { [PeriodicTask.signing($0, every: evidence[\.interval])] } ?? []
    let cleanup = PeriodicTask.cleanup(of: database, every: interval, keepingJobs: settings[\.keepFinishedJobs])
    readiness.tell("database") { database.writeProblem }
    readiness.tell("events") { database.logProblem }
    readiness.tell("erasures") { database.listProblem }
    let log = log
    if let signer {
      signer.signRecalls()
      try await signer.compareWithHeads()
      // Rows are held to a signed map; a log that has none yet gets it before anything is answered.
      do { try await signer.signAll() } catch { log.warn("the event logs are not signed", ["error": "\(error)"]) }
    }
    let watching = watchLogs(of: database)
    let runner = PeriodicTaskRunner(database, own(interval) + cleanup + signing) { task, error in
      log.warn("periodic task failed", ["task": task, "error": "\(error)"])
    }
    let running = Task { await runner.run() }
    await lifecycle.onStop("housekeeping") {
      running.cancel()
      watching.cancel()
      await running.value
      await watching.value
    }
  }

  /// Has the process notice when events that it has seen are gone; of each tenant that is logged once.
  private func watchLogs(of database: Database) -> Task<Void, Never> {
    let log = log
    return Task {
      // The rest of a shortened log may go on growing, so what was logged is remembered by tenant.
      var known: Set<Substring> = []
      while !Task.isCancelled {
        // A database that cannot be reached is reported by those who need it.
        if let losses = try? await database.compareLogs() {
          for loss in losses where known.insert(loss.prefix { $0 != ":" }).inserted {
            log.error("events are gone", ["reason": "\(loss)"])
          }
        }
        try? await Task.sleep(for: .seconds(15))
      }
    }
  }
}
