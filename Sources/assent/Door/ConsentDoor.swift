internal import Base
internal import Bus
internal import ConsentContract
internal import RPC
internal import ServiceKit

/// A command's connection to the gateways, over which it calls services with the identity that it names.
struct ConsentDoor {
  let connection: BusConnection

  static func open(_ settings: Settings<DoorSettings>, as name: String) async throws -> ConsentDoor {
    ConsentDoor(connection: try await settings.connect(as: name))
  }

  func channel(
    _ subject: String, tenant: String, kind: CallerKind, grants: [String] = []
  ) -> BusChannel {
    connection.channel.acting(
      for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, grants: grants))
  }

  func client(
    _ subject: String, tenant: String, kind: CallerKind, grants: [String] = []
  ) -> ConsentClients {
    ConsentClients(channel(subject, tenant: tenant, kind: kind, grants: grants))
  }

  func close() async throws { try await connection.close() }
}

/// Why a command failed, in one line or a few.
struct ConsentComplaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
