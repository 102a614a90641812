internal import Base
internal import ServiceKit

extension Command {
  /// Asks one process whether it is ready: the health check of containers, whose images hold no other HTTP client.
  static let probe = Command(
    "probe", "asks a process by its operations port whether it is ready; the exit status tells",
    settings: ProbeSettings(), operands: "HOST:PORT"
  ) { settings in
    let endpoint: Endpoint
    do throws(SettingValueError) {
      endpoint = try Endpoint(setting: settings.operands[0])
    } catch {
      throw NotReady("'\(settings.operands[0])' \(error.reason)")
    }
    let end = Clock.system.monotonic + .seconds(settings[\.watch])
    while true {
      let answer = try ReadinessProbe.ask(endpoint, seconds: settings[\.seconds])
      let lines = answer.text.split(separator: "\n").joined(separator: "; ")
      guard answer.isReady else { throw NotReady("not ready: \(lines)") }
      // A process that has just become ready is not watched, so that whoever waits for its start learns of it at once.
      guard answer.readySeconds >= 5, Clock.system.monotonic < end else { return say(lines) }
      try await Task.sleep(for: .seconds(1))
    }
  }
}

/// The settings of `assent probe`.
struct ProbeSettings: SettingGroup {
  let seconds = Setting("seconds", default: 3, in: 1...60, "how long to wait for an answer")
  let watch = Setting(
    "probe-watch", default: 0, in: 0...3600,
    "goes on asking each second for so many seconds, of a process that was ready before; ends as soon as it is not")
}

private struct NotReady: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
