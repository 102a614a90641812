/// An address at which a gateway lets peers in.
package struct GatewayListener: Sendable {
  package enum Door: String, Sendable, CaseIterable {
    /// Read first in each pass, and more of it, so that workers are heard however many clients flood theirs.
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

  /// The rights of peers on a socket in a private directory: they are this machine's own user.
  var localCredentials: PeerCredentials {
    switch self {
    case .services: .service(named: "local")
    case .clients: .localOperator
    }
  }

  /// How many bytes a pass takes from this door: so few from the clients' that the services' turn comes again soon.
  var share: Int {
    switch self {
    case .services: 2 * Links.usualShare
    case .clients: Links.usualShare / 2
    }
  }
}
