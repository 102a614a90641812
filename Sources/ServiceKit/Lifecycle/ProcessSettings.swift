/// The settings of every process.
public struct ProcessSettings: SettingGroup {
  public let instance = Setting<String?>(
    "instance", default: nil, shown: "NAME",
    "the name of this process in logs, which tells it from others of its kind; unless given, the program's name, in a "
      + "container followed by the container's")
  public let logLevel: Setting<LogLevel>
  public let logFormat = Setting("log-format", default: LogFormat.logfmt, "how events are written to standard error")
  public let opsListen = Setting<Endpoint?>(
    "ops-listen", default: nil,
    "the address at which /metrics, /healthz and /readyz are answered over HTTP; port 0 takes a free one")
  public let drainLimit = Setting(
    "drain-limit", default: Duration.seconds(20), in: .zero ... .seconds(3600),
    "how long calls may take to finish when the process is asked to end")

  public init(logLevel: LogLevel = .info) {
    self.logLevel = Setting("log-level", default: logLevel, "the least important events that are logged")
  }
}

/// A program's own settings together with those of every process, and of the bus where it uses that.
public struct ServiceSettings<Own: SettingGroup>: SettingGroup {
  let own: Own
  let bus: BusSettings?
  let process: ProcessSettings

  init(own: Own, bus: BusSettings?, logLevel: LogLevel = .info) {
    self.own = own
    self.bus = bus
    process = ProcessSettings(logLevel: logLevel)
  }
}

extension Settings<ProcessSettings> {
  func instanceName(of program: String) -> String {
    self[\.instance] ?? OwnProgram.containerName.map { "\(program)-\($0)" } ?? program
  }
}
