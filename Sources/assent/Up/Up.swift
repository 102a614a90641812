internal import Base
internal import ServiceKit

extension Command {
  /// Starts every process of Assent on this machine, keeps them running, and stops them in order.
  static let up = Command(
    serving: "up", "starts everything on this machine, until Ctrl-C", settings: UpSettings(), logLevel: .warn,
    notes: ChildSettings.lines, ready: sayHowToStop
  ) { settings, host in
    let kinds = ProgramKind.all(settings)
    for kind in kinds { try kind.checkPlaces(settings) }
    try Files.makeFolder(settings[\.data], mode: 0o700)
    let keys = try KeyFiles(settings, randomness: host.randomness)
    for line in keys.lines { say(line) }
    let supervisor = Supervisor(log: host.log, lines: host.lines, clock: host.clock)
    // Each program ends by itself within its limit; only one that hangs is killed. Services are stopped before
    // gateways, so there are two such waits.
    let grace = host.settings[\.drainLimit] + .seconds(5)
    await host.lifecycle.onStop("programs", limit: grace * 2 + .seconds(5)) { await supervisor.stop(grace: grace) }
    for kind in kinds {
      var announced: Set<String> = []
      for program in try kind.programs(settings, host.settings, keys: keys) {
        announced.insert(try await supervisor.start(program))
      }
      say(kind.line(announced: announced))
    }
    if settings[\.consent] > 0, settings[\.signature] > 0, settings[\.account] > 0 {
      let elsewhere = settings[\.data] == "data" ? "" : " --data \(settings[\.data])"
      let demo = "\(OwnProgram.folder)/assent demo\(elsewhere)"
      say("Try:  \(demo)   walks a study from the first screen to the signed record")
      if let door = settings[\.httpListen] {
        let address = "--address http://\(door.settingText)"
        say("      \(demo) --open \(address)   makes a link that opens in a browser")
        let accounts = "\(OwnProgram.folder)/assent accounts\(elsewhere)"
        say("      \(accounts) add-staff NAME \(address)   lets an administrator in, in a browser")
      }
    }
  }

  private static func sayHowToStop(_ host: ServiceHost) {
    say("Ctrl-C lets calls finish and stops everything.")
  }
}
