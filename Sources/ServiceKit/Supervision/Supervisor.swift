package import Base

/// Keeps programs running on one machine, and stops them in order.
package actor Supervisor {
  private let log: Log
  private let lines: LogSink
  private let clock: Base.Clock
  private let policy: RestartPolicy
  private var supervised: [SupervisedProcess] = []

  /// - Parameter lines: the sink for the lines that programs write. It never waits, so a stalled reader of the log does
  ///   not stop them.
  package init(
    log: Log, lines: LogSink = LogSink(), clock: Base.Clock = .system, policy: RestartPolicy = RestartPolicy()
  ) {
    self.log = log
    self.lines = lines
    self.clock = clock
    self.policy = policy
  }

  /// Starts a program, waits until it is ready and returns its announcement. From then on it is kept running.
  package func start(_ program: SupervisedProgram) async throws(SupervisionError) -> String {
    let process = SupervisedProcess(program, log: log, lines: lines, clock: clock, policy: policy)
    supervised.append(process)
    return try await process.start()
  }

  /// The process ids of the programs that run now, by name.
  package func processes() async -> [String: Int32] {
    var processes: [String: Int32] = [:]
    for process in supervised { processes[process.program.name] = await process.processID }
    return processes
  }

  /// Stops all programs: wave by wave, the last one first, and within a wave all at once.
  package func stop(grace: Duration) async {
    let waves = Dictionary(grouping: supervised) { $0.program.wave }.sorted { $0.key > $1.key }
    supervised = []
    for wave in waves {
      await withTaskGroup { group in
        for process in wave.value {
          group.addTask { [log] in
            guard let exit = await process.stop(grace: grace), !exit.isSuccess else { return }
            log.warn("program did not end well", ["program": process.program.name, "how": exit.description])
          }
        }
      }
    }
  }
}
