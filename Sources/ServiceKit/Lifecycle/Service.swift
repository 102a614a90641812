internal import Base

/// A process that starts, works until it is asked to end, and ends in order.
public enum Service {
  /// Reads the settings, builds the process with `build`, and runs it until it is told to stop: an entry file's only
  /// call.
  ///
  /// - Parameters:
  ///   - name: the name of the process in logs and in settings files.
  ///   - bus: the door through which the process reaches the bus; nil when it does not use the bus.
  ///   - build: starts the parts. What it registers with `host.lifecycle` is stopped in reverse order at the end.
  public static func run<Own: SettingGroup>(
    _ name: String, _ summary: String, settings own: Own, bus: BusSettings? = BusSettings(.services),
    _ build: @escaping @Sendable (Settings<Own>, ServiceHost) async throws -> Void
  ) async -> Never {
    let group = ServiceSettings(own: own, bus: bus)
    let reader = SettingsReader(
      program: name, section: name, environment: Environment.current, readFile: readText,
      readSecret: readSecretText)
    let settings: Settings<ServiceSettings<Own>>
    do throws(SettingsError) {
      switch try reader.read(group, Array(CommandLine.arguments.dropFirst())) {
      case .run(let read): settings = read
      case .version: finish("\(name) \(Version.current)")
      case .help:
        finish(SettingsHelp(usage: "\(name) [OPTION…]", summary: summary, settings: group.descriptions).text)
      }
    } catch {
      complain("\(name): \(error)")
      endProcess(ExitCode.usage)
    }
    endProcess(await hold(name, settings, ready: { say($0.readyLine) }, build))
  }

  private static func finish(_ text: String) -> Never {
    say(text)
    endProcess(ExitCode.success)
  }

  /// Runs a process from its first log line to its last.
  static func hold<Own: SettingGroup>(
    _ name: String, _ settings: Settings<ServiceSettings<Own>>, ready: (ServiceHost) -> Void,
    _ build: @escaping @Sendable (Settings<Own>, ServiceHost) async throws -> Void
  ) async -> Int32 {
    FreedMemory.keep()
    Descriptors.raiseLimit()
    let process = settings.settings(of: \.process)
    let lines = LogSink(format: process[\.logFormat])
    let log = Log(level: process[\.logLevel], to: lines)
      .with(["service": name, "instance": process.instanceName(of: name)])
    for variable in MisspeltVariable.all(in: Environment.current, known: settings.group.descriptions) {
      log.warn("variable is unknown", ["variable": variable.name, "meant": variable.meant])
    }
    let host = ServiceHost(
      name: name, settings: process, bus: settings.group.bus.map { settings.settings(of: $0) }, log: log, lines: lines)
    host.metrics.addProcess(program: name)
    let end = host.endRequest
    let starting = Task {
      try await offerOperations(process[\.opsListen], host)
      try await build(settings.settings(of: \.own), host)
    }
    Signals.watch { signal in
      if end.make(signal) {
        // A start that waits for something, such as a database, is cancelled.
        starting.cancel()
      } else {
        log.warn("ended at once", ["signal": signal])
        endProcess(ExitCode.failure)
      }
    }
    switch await starting.result {
    case .success: break
    case .failure where end.isMade: log.info("start given up")
    case .failure(let error):
      log.error("cannot start", ["error": "\(error)"])
      await host.lifecycle.stop(within: process[\.drainLimit])
      return ExitCode.failure
    }
    if !end.isMade {
      FreedMemoryReturn.start(host)
      host.readiness.enter(.ready)
      log.info("ready", ["version": Version.current])
      ready(host)
    }
    let reason = await end.wait()
    host.readiness.enter(.draining)
    log.info("stopping", ["reason": reason])
    let failed = await host.lifecycle.stop(within: process[\.drainLimit])
    guard failed.isEmpty else {
      log.error("stopped", ["failed_parts": failed.joined(separator: ",")])
      return ExitCode.failure
    }
    log.info("stopped")
    return end.isFailure ? ExitCode.failure : ExitCode.success
  }

  private static func offerOperations(_ endpoint: Endpoint?, _ host: ServiceHost) async throws {
    guard let endpoint else { return }
    let pages = OperationsPages(metrics: host.metrics, readiness: host.readiness)
    let listener = try HTTPListener(endpoint) { pages.answer(method: $0, path: $1) }
    host.announce("ops http://\(listener.endpoint.settingText)")
    await host.lifecycle.onStop("operations") { withExtendedLifetime(listener) {} }
  }
}

/// The exit codes of a process.
enum ExitCode {
  static let success: Int32 = 0
  static let failure: Int32 = 1
  static let usage: Int32 = 2
}

/// Settings files are small; anything larger was named by mistake.
func readText(_ path: String) throws(FileError) -> String {
  String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
}

/// A secret, from a file that nobody else may read.
func readSecretText(_ path: String) throws(FileError) -> String {
  String(decoding: try Files.readPrivate(path, limit: 1 << 20), as: UTF8.self)
}
