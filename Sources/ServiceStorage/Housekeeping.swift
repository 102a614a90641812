internal import Base
public import ServiceKit
public import Storage

/// The settings of the periodic tasks in services that keep data. They have the same names in every program.
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
  /// Runs the periodic tasks of Storage and of the service until the process ends, and logs their failures. Before it
  /// returns, the logs' heads are compared with those kept outside the database, and signed.
  ///
  /// - Parameters:
  ///   - signer: signs the heads of the event logs; nil in an installation without an evidence key.
  ///   - own: makes the service's periodic tasks, which run at the interval that it gets.
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
    readiness.tell("data") { database.findingsProblem }
    metrics.gauge("assent_data_findings", "Problems that the check of the data found and that are still there.") {
      Double(database.findingsCount)
    }
    let log = log
    if let signer {
      signer.signPromptly()
      try await signer.compareWithHeads()
      do { try await signer.signAll() } catch { log.warn("the event logs are not signed", ["error": "\(error)"]) }
    }
    let watching = watchLogs(of: database)
    let runner = PeriodicTaskRunner(database, own(interval) + cleanup + signing) { task, error in
      log.warn("periodic task failed", ["task": task, "error": "\(error)"])
    }
    let running = Task { await runner.run() }
    let checking = check(database, trusting: signer?.verifyingKey)
    await lifecycle.onStop("housekeeping") {
      for task in [running, checking, watching] { task.cancel() }
      for task in [running, checking, watching] { await task.value }
    }
  }

  /// How long the check of all data rests after a pass.
  private static var timeBetweenChecks: Duration { .seconds(60) }

  /// Starts a task that checks all data over and over. It has a runner of its own, since a pass over many data takes
  /// hours.
  private func check(_ database: Database, trusting key: VerifyingKey?) -> Task<Void, Never> {
    let log = log
    let check = ContinuousCheck(database, trusting: key.map { [$0] } ?? []) { tenant, problem in
      log.error("the data were altered or damaged", ["tenant": "\(tenant)", "reason": problem])
    }
    let runner = PeriodicTaskRunner(database, [check.task(every: Self.timeBetweenChecks)]) { task, error in
      log.warn("periodic task failed", ["task": task, "error": "\(error)"])
    }
    return Task { await runner.run() }
  }

  /// Starts a task that regularly checks that no event which this process has seen was removed from the database. Lost
  /// events are logged once for each tenant.
  private func watchLogs(of database: Database) -> Task<Void, Never> {
    let log = log
    return Task {
      // A shortened log may grow again, so that the text of its loss changes: so tenants are remembered, and not texts.
      var known: Set<Substring> = []
      while !Task.isCancelled {
        // A failure to read the database is ignored here: the calls that need the database report it.
        if let losses = try? await database.compareLogs() {
          for loss in losses where known.insert(loss.prefix { $0 != ":" }).inserted {
            log.error("events are gone", ["reason": "\(loss)"])
          }
        }
        try? await database.refreshFindings()
        try? await Rounds.wait(about: .seconds(15))
      }
    }
  }
}
