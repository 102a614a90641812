internal import Base
internal import Bus
internal import GatewayContract
internal import ServiceKit

/// The settings of `assent status`.
struct StatusSettings: SettingGroup {
  let service = Setting(
    "service", default: "", shown: "SERVICE", "only this service, by its full name, and its instances")
  let watch = Setting("watch", default: false, "shows the state again whenever it changes, until Ctrl-C")
  let wait = Setting("wait", default: Duration.seconds(5), "how long to wait for a gateway")
  let bus = BusSettings(.clients)
}

/// No gateway answered.
private struct NoAnswer: Error, CustomStringConvertible {
  let waited: Duration

  var description: String {
    "no gateway answered within \(waited.settingText): is 'assent up' running, and is --bus-folder the one that it uses?"
  }
}

extension Command {
  /// Shows what a gateway knows of the services and processes behind it.
  static let status = Command(
    "status", "shows services and their processes, as a gateway sees them", settings: StatusSettings()
  ) { settings in
    let connection = try await settings.settings(of: \.bus).connect(as: "assent status", log: .silent)
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
      let state: ListInstancesResponse
      do {
        state = try await gateway.listInstances(request, deadline: settings[\.wait])
      } catch let status as Bus.Status where status.code == .deadlineExceeded {
        throw NoAnswer(waited: settings[\.wait])
      }
      say(StatusReport(services: state.services, instances: state.instances, now: Clock.system.now).text)
    }
    try await connection.close()
  }
}
