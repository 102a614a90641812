/// A place where a gateway lets peers in.
package struct GatewayListener: Sendable {
  package enum Door: String, Sendable, CaseIterable {
    /// Drained first, so that however many clients flood theirs, workers are heard.
    case services
    case clients
  }

  package var door: Door
  package var endpoint: BusEndpoint

  package init(_ door: Door, _ endpoint: BusEndpoint) {
    self.door = door
    self.endpoint = endpoint
  }
}

extension GatewayListener.Door {
  var peerDoor: Peer.Door {
    switch self {
    case .services: .services
    case .clients: .clients
    }
  }

  /// The roles whose keys open the door.
  var roles: Set<KeyEntry.Role> {
    switch self {
    case .services: [.service, .gateway]
    case .clients: [.client]
    }
  }

  /// What those may do who come by a socket in a private directory: they are this machine's own user.
  var localCredentials: PeerCredentials { .service(named: "local", mayServe: self == .services) }

  /// How much a turn takes from here: enough of the services' words that none waits for the next turn, and so little
  /// of the clients' that the services' turn comes soon.
  var batchLimit: Int {
    switch self {
    case .services: 1024
    case .clients: 128
    }
  }
}
