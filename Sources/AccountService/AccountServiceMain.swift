internal import Base
internal import ServiceKit
internal import ServiceStorage
internal import Storage

@main struct AccountServiceMain {
  static func main() async {
    await Service.run(
      "account", "Keeps accounts on shared devices and their data in step.", settings: AccountProcessSettings()
    ) { settings, host in
      let stored = settings.settings(of: \.database)
      let housekeeping = settings.settings(of: \.housekeeping)
      let database = try await host.openDatabase(
        stored, of: "account", schema: AccountSchema.all
      ) { transaction, subject in
        try AccountServices.eraseAgain(subject, transaction)
      }
      let signer = try await host.evidenceSigner(for: database, housekeeping)
      let channel = try await host.channel()
      let services = AccountServices(
        database: database, consent: BusConsentFlows(channel), peers: BusSyncPeers(channel),
        passcodes: settings.passcodePool(), issuers: settings.issuers(clock: host.clock),
        secret: try settings.tokenSecret(), lifetimes: settings.lifetimes(), clock: host.clock,
        randomness: host.randomness)
      await host.lifecycle.onStop("counts") { try await services.writeCounts() }
      // First of all, this compares the logs with the heads that were handed out; only then is anything written or
      // sent.
      try await host.runPeriodicTasks(in: database, housekeeping, signingBy: signer) {
        services.periodicTasks(every: $0)
      }
      await host.runJobs(services.jobs(telling: BusMergeNews(channel)))
      try await host.serve(services.handlers, slots: settings[\.slots], executor: database.executor)
    }
  }
}
