package import Base

/// Keeps programs running on one machine, and stops them in order.
package actor Supervisor {
  private let log: Log
  private let clock: Base.Clock
  private let policy: RestartPolicy
  private var keepers: [Keeper] = []

  package init(log: Log, clock: Base.Clock = .system, policy: RestartPolicy = RestartPolicy()) {
    self.log = log
    self.clock = clock
    self.policy = policy
  }

  /// Starts a program, waits until it is ready and returns its announcement. From then on it is kept running.
  package func start(_ program: SupervisedProgram) async throws(SupervisionError) -> String {
    let keeper = Keeper(program, log: log, clock: clock, policy: policy)
    keepers.append(keeper)
    return try await keeper.start()
  }

  /// The process ids of the programs that run now, by name.
  package func processes() async -> [String: Int32] {
    var processes: [String: Int32] = [:]
    for keeper in keepers { processes[keeper.program.name] = await keeper.processID }
    return processes
  }

  /// Stops all programs: wave by wave, the last one first, and within a wave all at once.
  package func stop(grace: Duration) async {
    let waves = Dictionary(grouping: keepers) { $0.program.wave }.sorted { $0.key > $1.key }
    keepers = []
    for wave in waves {
      await withTaskGroup { group in
        for keeper in wave.value {
          group.addTask { [log] in
            guard let exit = await keeper.stop(grace: grace), !exit.isSuccess else { return }
            log.warn("program did not end well", ["program": keeper.program.name, "how": exit.description])
          }
        }
      }
    }
  }
}
