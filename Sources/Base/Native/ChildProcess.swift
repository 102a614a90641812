internal import CSystem
internal import Glibc
internal import Synchronization

/// A program that runs beside this one, and not longer: it is killed when its last reference is released, and gets a
/// signal when this process ends.
public final class ChildProcess: Sendable {
  public let command: ChildCommand
  public let id: Int32
  private let state: ChildState

  /// Starts `command`; throws when that is impossible.
  public static func start(_ command: ChildCommand) async throws(ChildProcessError) -> ChildProcess {
    // The kernel sends that signal when the *thread* that started the child ends; this thread never does.
    try await spawner.run { () throws(ChildProcessError) in try ChildProcess(spawning: command) }
  }

  private static let spawner = BlockingPool(name: "spawner", threads: 1, stackBytes: 1 << 20)

  private init(spawning command: ChildCommand) throws(ChildProcessError) {
    let pipes = try ChildPipes(for: command)
    do throws(ChildProcessError) {
      id = try spawn(command, pipes.childEnds)
    } catch {
      pipes.closeAll()
      throw error
    }
    pipes.closeChildEnds()
    self.command = command
    state = ChildState(process: id, input: pipes.input)
    let watcher = ChildWatcher(state: state, process: id, outputs: pipes.outputs, whenEnded: command.whenEnded)
    NativeThread.start(name: "child-\(id)", stackBytes: 1 << 20) { watcher.run() }
  }

  deinit {
    state.send(.kill)
  }

  /// Sends a signal, unless the process has ended. A kill also reaches processes that the child has started.
  public func send(_ signal: ProcessSignal) {
    state.send(signal)
  }

  /// Returns when the process has ended and all its output has been passed on.
  @discardableResult
  public func wait() async -> ProcessExit {
    await state.exit()
  }

  /// How the process ended; nil while it runs.
  public var exit: ProcessExit? { state.currentExit }

  /// Asks the process to end, and kills it if it has not ended after `grace`.
  @discardableResult
  public func stop(grace: Duration = .seconds(10)) async -> ProcessExit {
    send(.terminate)
    let deadline = Task { [state] in
      try await Task.sleep(for: grace)
      state.send(.kill)
    }
    let exit = await wait()
    deadline.cancel()
    return exit
  }

  /// Writes to the child's standard input, which must be `.written`. Blocks while the child does not read.
  public func write(_ text: String) throws(ChildProcessError) {
    try state.write(Array(text.utf8), program: command.program)
  }

  /// Ends the child's standard input.
  public func closeInput() {
    state.closeInput()
  }

  /// Runs `command` to its end and collects its standard output.
  public static func output(
    of command: ChildCommand
  ) async throws(ChildProcessError) -> (exit: ProcessExit, lines: [String]) {
    let collected = LineCollection()
    var command = command
    command.output = .lines { collected.append($0) }
    let exit = await (try start(command)).wait()
    return (exit, collected.lines)
  }
}

private final class LineCollection: Sendable {
  private let collected = Mutex<[String]>([])

  var lines: [String] { collected.withLock { $0 } }

  func append(_ line: String) { collected.withLock { $0.append(line) } }
}

private func spawn(_ command: ChildCommand, _ descriptors: [Int32]) throws(ChildProcessError) -> pid_t {
  var variables = Environment.current
  for (name, value) in command.environment { variables[name] = value }
  let arguments = CStringArray([command.program] + command.arguments)
  let environment = CStringArray(variables.map { "\($0.key)=\($0.value)" })
  let directory = unsafe command.directory.map { unsafe strdup($0) } ?? nil
  defer { unsafe free(directory) }
  var request = unsafe csystem_spawn_request(
    arguments: unsafe arguments.pointer, environment: unsafe environment.pointer, directory: directory,
    descriptors: (descriptors[0], descriptors[1], descriptors[2]), parent_death_signal: command.whenParentDies.rawValue)
  var failure = csystem_spawn_failure()
  let process = unsafe csystem_spawn(&request, &failure)
  withExtendedLifetime((arguments, environment)) {}
  guard process > 0 else {
    let place = failure.in_directory != 0 ? " in directory \(command.directory ?? "")" : ""
    throw ChildProcessError(
      code: failure.code, description: "cannot start \(command.program)\(place): \(systemMessage(failure.code))")
  }
  return process
}

/// An array of C strings that ends with a null pointer, as exec wants it.
@safe private final class CStringArray {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    unsafe pointer = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { unsafe pointer[index] = strdup(text) }
    unsafe pointer[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointer[index]) }
    unsafe pointer.deallocate()
  }
}
