internal import Base
internal import Bus
internal import GatewayContract
internal import RPC
internal import ServiceKit

/// The settings of `assent status`.
struct StatusSettings: SettingGroup {
  let service = Setting(
    "service", default: "", shown: "SERVICE", "only this service, by its full name, and its instances")
  let watch = Setting("watch", default: false, "shows the state again whenever it changes, until Ctrl-C")
  let wait = Setting("wait", default: Duration.seconds(5), "how long to wait for a gateway")
  let door = DoorSettings()
}

extension Command {
  /// Shows what a gateway knows of the services and processes behind it.
  static let status = Command(
    "status", "shows services and their processes, as a gateway sees them", settings: StatusSettings()
  ) { settings in
    let connection = try await settings.settings(of: \.door).connect(as: "assent status", within: settings[\.wait])
    let gateway = GatewayServiceClient(connection.channel)
    if settings[\.watch] {
      var request = WatchInstancesRequest()
      request.service = settings[\.service]
      for try await state in try gateway.watchInstances(request, deadline: .seconds(86_400)) {
        say(StatusReport(services: state.services, instances: state.instances, now: Clock.system.now).text)
      }
    } else {
      var request = ListInstancesRequest()
      request.service = settings[\.service]
      let state = try await gateway.listInstances(request, deadline: settings[\.wait])
      say(StatusReport(services: state.services, instances: state.instances, now: Clock.system.now).text)
    }
    try await connection.close()
  }
}
