internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import Webhooks

/// Processes of one kind, which differ only in their names.
struct ProgramKind {
  let name: String
  let program: String
  let count: Int
  let wave: Int

  /// The program of each kind, by the section that it reads of a settings file: gateways first, because services
  /// connect to them.
  static let programs: KeyValuePairs = [
    "gateway": "gateway", "consent": "ConsentService", "signature": "SignatureService", "account": "AccountService",
    "interop": "InteropService",
  ]

  /// All kinds in the order in which they start.
  static func all(_ settings: Settings<UpSettings>) -> [ProgramKind] {
    let counts = [
      "gateway": settings.gatewayCount, "consent": settings[\.consent], "signature": settings[\.signature],
      "account": settings[\.account], "interop": settings[\.interop] ? 1 : 0,
    ]
    return programs.map { name, program in
      ProgramKind(name: name, program: program, count: counts[name] ?? 0, wave: name == "gateway" ? 0 : 1)
    }.filter { $0.count > 0 }
  }

  /// The settings of a kind that nobody but `assent up` decides.
  static func decided(of name: String) -> Set<String> {
    name == "gateway" ? ["instance", "services-door"] : ["instance", "services-door", "bus-folder"]
  }

  /// The folder of a gateway's sockets.
  private static func busFolder(_ settings: Settings<UpSettings>, gateway number: Int) throws -> String {
    if let named = try settings.section(of: "gateway")["bus-folder"] { return named }
    return BusSettings.folder(ofGateway: number, in: settings[\.data])
  }

  func programs(
    _ settings: Settings<UpSettings>, _ process: Settings<ProcessSettings>, keys: KeyFiles
  ) throws -> [SupervisedProgram] {
    let own = try settings.section(of: name)
    let gateways = try (1...settings.gatewayCount).map { number in
      try BusSettings.socket(.services, in: Self.busFolder(settings, gateway: number)).description
    }
    return try (1...count).map { number in
      let instance = count == 1 ? name : "\(name)-\(number)"
      var command = ChildCommand("\(OwnProgram.folder)/\(program)", ["--instance", instance])
      var environment: [String: String?] = [
        "ASSENT_BUS_FOLDER": try Self.busFolder(settings, gateway: program == "gateway" ? number : 1),
        "ASSENT_SERVICES_DOOR": program == "gateway" ? nil : gateways.joined(separator: ","),
        "ASSENT_CLIENTS_DOOR": nil,
        "ASSENT_CONFIG": settings.file,
        // Only one process can take a port: this setting is meant for this process, not for those that it starts.
        "ASSENT_OPS_LISTEN": nil,
      ]
      // One process keeps the fields and their database; the others only draw, which is what takes the time.
      let onlyDraws = name == "signature" && number > 1
      let keepsData = ["consent", "account"].contains(name) || name == "signature" && !onlyDraws
      let told: KeyValuePairs<String, String?> = [
        "log-level": process[\.logLevel].settingText,
        "log-format": process[\.logFormat].settingText,
        "drain-limit": process[\.drainLimit].settingText,
        "data": settings[\.data],
        "http-listen": program == "gateway" ? settings[\.httpListen]?.settingText : nil,
        "grpc-listen": program == "gateway" ? settings[\.grpcListen].settingText : nil,
        "share-addresses": program == "gateway" && count > 1 ? "yes" : nil,
        // All gateways end together, so there is none to go to.
        "leave-time": program == "gateway" ? "0s" : nil,
        "api-key-list": program == "gateway" ? "\(settings[\.data])/api-keys" : nil,
        "evidence-public-key": program == "gateway" ? keys.evidencePublic : nil,
        // One file for each process, so that none has to wait for another.
        "evidence-heads": keepsData ? "\(settings[\.data])/\(instance).heads" : nil,
        "verification-address": name == "consent" ? try verificationAddress(settings) : nil,
      ]
      if program == "gateway", let key = keys.gateway {
        environment[SettingDescription.variable(for: "bus-key-file")] = key.path
      }
      if name == "consent" { environment.merge(Self.webhooks(settings)) { $1 } }
      for (setting, value) in told { environment[SettingDescription.variable(for: setting)] = value }
      environment.merge(keys.environment(settings, keepsData: keepsData)) { $1 }
      environment.merge(keys.sealEnvironment(settings, for: name == "signature" && !onlyDraws)) { $1 }
      // A setting in the program's own section of the settings file must count, so its variable, which would take
      // precedence, is removed. For the file of a secret, so is the variable with the secret itself.
      for setting in own.keys {
        for name in [setting, setting.hasSuffix("-file") ? String(setting.dropLast(5)) : setting] {
          let variable = SettingDescription.variable(for: name)
          if environment.keys.contains(variable) { environment.updateValue(nil, forKey: variable) }
        }
      }
      if onlyDraws { environment["ASSENT_RENDER_ONLY"] = "yes" }
      command.environment = environment
      return SupervisedProgram(name: instance, command: command, wave: wave)
    }
  }

  private static func webhooks(_ settings: Settings<UpSettings>) -> [String: String?] {
    let webhooks = settings.settings(of: \.webhooks)
    let told: KeyValuePairs<String, String?> = [
      "webhook-allow": webhooks[\.allow].isEmpty ? nil : webhooks[\.allow].settingText,
      "webhook-plain-text": webhooks[\.plainText].settingText,
      "webhook-certificates": webhooks[\.certificates], "webhook-timeout": webhooks[\.timeout].settingText,
      "webhook-first-pause": webhooks[\.firstPause].settingText,
      "webhook-retry-for": webhooks[\.retriesFor].settingText,
    ]
    return Dictionary(uniqueKeysWithValues: told.map { (SettingDescription.variable(for: $0.key), $0.value) })
  }

  /// Refuses addresses and folders in the settings file with which these programs would not find each other.
  func checkPlaces(_ settings: Settings<UpSettings>) throws {
    let own = try settings.section(of: name)
    guard name == "gateway" else {
      guard let door = ["services-door", "bus-folder"].first(where: { own[$0] != nil }) else { return }
      throw UpProblem(
        "[\(name)] names a \(door), but assent up has services go to the gateways that it starts: leave it out")
    }
    if try settings.fileNames("services-door", for: name) {
      throw UpProblem(
        "the gateway is given a services-door, but assent up has services go to its socket: name a bus-folder instead")
    }
    guard count > 1 else { return }
    // A section applies to all processes of a program, and two gateways cannot share a folder.
    guard own["bus-folder"] == nil else {
      throw UpProblem(
        "[gateway] names one bus-folder for \(count) gateways, of which each needs its own: leave it out, or start one")
    }
    // Gateways that share an address would also share it with those of another installation, and take its callers.
    let places = try [
      own["http-listen"].map { try Endpoint(setting: $0) } ?? settings[\.httpListen],
      own["grpc-listen"].map { try Endpoint(setting: $0) } ?? settings[\.grpcListen],
    ]
    for place in places.compactMap(\.self) where place.port != 0 { _ = try ListeningSocket(place) }
  }

  /// The address at which documents can be verified: the one that was set, or else that of the first gateway. nil if
  /// this one listens on all addresses, or on any free port, so that its address is not known.
  private func verificationAddress(_ settings: Settings<UpSettings>) throws -> String? {
    if let address = settings[\.verificationAddress] { return address }
    let named = try settings.section(of: "gateway")["http-listen"].map { try Endpoint(setting: $0) }
    guard let door = named ?? settings[\.httpListen], door.port != 0, !["0.0.0.0", "::"].contains(door.host) else {
      return nil
    }
    let isEncrypted =
      try Environment.current["ASSENT_TLS_CERTIFICATE"] != nil || settings.fileNames("tls-certificate", for: "gateway")
    return "\(isEncrypted ? "https" : "http")://\(door.settingText)/verify/"
  }

  /// `✓ signature    2 instances`, and their addresses.
  func line(announced: Set<String>) -> String {
    let title = name + String(repeating: " ", count: max(1, 12 - name.count))
    let instances = count == 1 ? "1 instance" : "\(count) instances"
    return (["✓ \(title) \(instances)"] + announced.filter { !$0.isEmpty }.sorted()).joined(separator: "   ")
  }
}

/// Why programs cannot be started as they were asked for, in one line.
private struct UpProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
