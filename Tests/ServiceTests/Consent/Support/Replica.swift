import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport

/// A second process: the same service on a world's database, with its own caches and its own bus.
struct Replica {
  let services: ConsentServices
  let app: ConsentClients
  private let bus = InProcessBus()

  init(of world: World) async throws {
    let database = try await world.test.reopen(clock: world.clock.clock)
    services = try World.services(database, world.fields, world.clock)
    bus.serve(services.handlers)
    app = ConsentClients(bus.channel(for: CallerIdentity(kind: .device, tenant: "t1", subject: "app")))
  }

  func end() async {
    bus.stop()
    await services.database.close()
  }
}
