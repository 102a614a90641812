import Bus
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Webhooks

/// What a backup of a world brings back, with a service on it.
struct RestoredWorld {
  let services: ConsentServices
  let admin: ConsentClients
  private let bus = InProcessBus()

  /// - Parameters:
  ///   - list: the list of erasures beside the database; nil: there is none.
  ///   - alongside: what belongs to an erasure that is done again.
  init(
    of world: World, from archive: String, erasures list: String? = nil, webhooks: WebhookPolicy = WebhookWorld.policy,
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { try ConsentServices.eraseAgain($1, $0) }
  ) async throws {
    let restored = try await world.test.restored(
      from: archive, erasures: try list.map { try ErasureList($0) }, clock: world.clock.clock, alongside: alongside)
    services = try World.services(restored.database, world.fields, world.clock, webhooks: webhooks)
    bus.serve(services.handlers)
    admin = ConsentClients(
      bus.channel(for: CallerIdentity(kind: .person, tenant: "t1", subject: "admin", grants: ["admin@*"])))
  }

  func end() async {
    bus.stop()
    await services.database.close()
  }
}
