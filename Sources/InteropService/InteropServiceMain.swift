internal import Interop
internal import ServiceKit

@main struct InteropServiceMain {
  static func main() async {
    await Service.run(
      "interop", "Answers the calls by which clients in other languages are checked.", settings: InteropSettings()
    ) { settings, host in
      let instance = host.settings[\.instance] ?? host.name
      try await host.serve(InteropHandlers(instance: instance), slots: settings[\.slots])
    }
  }
}

struct InteropSettings: SettingGroup {
  let slots = Setting("slots", default: 4, in: 1...1024, "handlers that run at the same time")
}
