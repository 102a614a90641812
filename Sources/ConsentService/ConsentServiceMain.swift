internal import Base
internal import Presence
internal import ServiceKit
internal import ServiceStorage
internal import Storage
internal import Webhooks

@main struct ConsentServiceMain {
  static func main() async {
    await Service.run(
      "consent", "Keeps consent documents, flows and records.", settings: ConsentSettings()
    ) { settings, host in
      let stored = settings.settings(of: \.database)
      let housekeeping = settings.settings(of: \.housekeeping)
      let database = try await host.openDatabase(
        stored, of: "consent", schema: ConsentSchema.all
      ) { transaction, subject in
        try ConsentServices.eraseAgain(subject, transaction)
      }
      let signer = try await host.evidenceSigner(for: database, housekeeping)
      let channel = try await host.channel()
      let services = ConsentServices(
        database: database, signatures: BusSignatures(channel), papers: BusPapers(channel),
        accounts: BusAccounts(channel), statementKey: try settings.statementSigner(),
        verificationAddress: settings[\.verificationAddress] ?? "", evidence: signer,
        webhooks: settings.settings(of: \.webhooks).policy, clock: host.clock, randomness: host.randomness)
      await host.lifecycle.onStop("counts") { try await services.writeCounts() }
      // Nothing is written or sent before the logs are compared with the heads that were handed out.
      try await host.runPeriodicTasks(in: database, housekeeping, signingBy: signer) {
        services.periodicTasks(every: $0)
      }
      let watching = CopyWaking(database).following(ServiceArrivals(channel))
      let webhooks = services.webhooks { [log = host.log] report in
        log.warn(report.words, ["webhook": report.webhook, "tenant": report.tenant, "failure": report.failure])
      }
      let sending = Task { await webhooks.run() }
      let following = Task { [log = host.log] in
        await services.follow(BusFollowedLogs(channel)) { fault in
          log.warn(
            "changes of another service cannot be read for webhooks",
            ["service": fault.service.rawValue, "tenant": fault.tenant, "failure": fault.failure])
        }
      }
      await host.lifecycle.onStop("webhooks") {
        watching.cancel()
        following.cancel()
        await following.value
        sending.cancel()
        await sending.value
      }
      await host.runJobs(services.jobs(slots: settings[\.jobs]))
      try await host.serve(services.handlers, slots: settings[\.slots], executor: database.executor)
    }
  }
}
