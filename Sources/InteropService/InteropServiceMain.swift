internal import Base
internal import Interop
internal import ServiceKit

@main struct InteropServiceMain {
  static func main() async {
    await Service.run(
      "interop", "Answers the calls by which clients in other languages are checked.", settings: InteropSettings()
    ) { settings, host in
      let instance = host.settings[\.instance] ?? host.name
      let journal = try settings[\.journal].map { try CallJournal(path: $0) }
      // As many threads as a service with a database on SQLite has, so that a call costs here what it costs there.
      let pool = BlockingPool(name: "interop", threads: 4)
      try await host.serve(
        [InteropHandlers(instance: instance, journal: journal)], slots: settings[\.slots], executor: pool)
    }
  }
}

struct InteropSettings: SettingGroup {
  let slots = Setting("slots", default: 4, in: 1...1024, "handlers that run at the same time")
  let journal = Setting<String?>(
    "journal", default: nil, shown: "FILE",
    "the file to which each UnaryCall adds its payload as it begins, to count effects by")
}
