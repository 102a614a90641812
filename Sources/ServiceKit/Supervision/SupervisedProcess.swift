internal import Base

/// Keeps one program running: starts it, waits for its end, and starts it again.
actor SupervisedProcess {
  let program: SupervisedProgram
  private let log: Log
  /// The sink for the lines that the program writes.
  private let lines: LogSink
  private let clock: Base.Clock
  private var policy: RestartPolicy
  private var child: ChildProcess?
  private var isStopping = false
  private var wasReady = false
  private var supervision: Task<Void, Never>?
  private let (firstOutcome, outcome) = AsyncStream<Result<String, SupervisionError>>.makeStream()

  init(_ program: SupervisedProgram, log: Log, lines: LogSink, clock: Base.Clock, policy: RestartPolicy) {
    self.program = program
    self.log = log.with(["program": program.name])
    self.lines = lines
    self.clock = clock
    self.policy = policy
  }

  /// Starts the program and returns what it announces when it is ready; a program that ends before that is an error.
  func start() async throws(SupervisionError) -> String {
    supervision = Task { await supervise() }
    for await result in firstOutcome { return try result.get() }
    throw SupervisionError(description: "\(program.name) was stopped before it was ready")
  }

  /// Asks the program to end, and kills it after `grace`.
  func stop(grace: Duration) async -> ProcessExit? {
    isStopping = true
    // This ends a pause before a restart.
    supervision?.cancel()
    let exit = await child?.stop(grace: grace)
    await supervision?.value
    return exit
  }

  var processID: Int32? { child?.exit == nil ? child?.id : nil }

  private func supervise() async {
    defer { outcome.finish() }
    while !isStopping {
      let started = clock.monotonic
      guard let reason = await runOnce() else { return }
      if isStopping { return }
      guard wasReady else {
        outcome.yield(.failure(SupervisionError(description: "\(program.name) \(reason) before it was ready")))
        return
      }
      let chance = Double.random(in: 0...1)
      let delay = policy.delay(afterUptime: clock.monotonic - started, chance: chance)
      log.warn("program ended, to be started again", ["how": reason, "delay_ms": delay])
      try? await Task.sleep(for: delay)
    }
  }

  /// Runs the program once; returns how it ended.
  private func runOnce() async -> String? {
    let (announcements, announced) = AsyncStream<String>.makeStream()
    var command = program.command
    command.output = .lines { [program, lines, clock] line in
      guard let announcement = ReadyLine.announcement(in: line) else {
        lines.pass(on: "\(program.name) | \(line)", at: clock.now)
        return
      }
      announced.yield(announcement)
    }
    command.errors = .lines { [program, lines, clock] line in
      // Events of a service's log name the service. Other output, such as that of a crash, does not, so the name is
      // added.
      let isEvent = line.hasPrefix("time=") || line.hasPrefix("{\"time\"")
      lines.pass(on: isEvent ? line : "\(program.name) | \(line)", at: clock.now)
    }
    // If the supervisor dies, its programs get SIGTERM, so that they finish their calls and end.
    command.whenParentDies = .terminate
    do throws(ChildProcessError) {
      let child = try await ChildProcess.start(command)
      self.child = child
      if isStopping { child.send(.terminate) }
      // Announcements are read only now that the process is known: the code that learns that a program is ready may ask
      // for its process, or stop it.
      let hearing = Task { for await announcement in announcements { becameReady(announcement) } }
      let exit = await child.wait()
      // Reads all announcements before judging the end: a program that was ready only briefly was ready.
      announced.finish()
      await hearing.value
      return exit.description
    } catch {
      return error.description
    }
  }

  private func becameReady(_ announcement: String) {
    if wasReady { log.info("program is ready again") }
    wasReady = true
    outcome.yield(.success(announcement))
  }
}
