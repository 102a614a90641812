internal import Base
package import RPC

/// The sender of an envelope, identified by its link.
package struct Peer: Hashable, Sendable {
  package enum Door: UInt8, Hashable, Sendable {
    /// Clients: they may call, and no claim about themselves is believed.
    case clients
    /// Workers, and services that make calls.
    case services
    /// The gateway's own process.
    case local
  }

  package var door: Door
  package var link: UInt64

  package init(door: Door, link: UInt64) {
    self.door = door
    self.link = link
  }

  /// Link and door in one number: there are never so many links that the two highest bits are used.
  var number: UInt64 { link << 2 | UInt64(door.rawValue) }
}

/// What a peer's key proves about it.
package final class PeerCredentials: Hashable, Sendable {
  package let identity: CallerIdentity
  package let rights: KeyRights
  /// The host's number for the key; nil if the peer has none.
  package let keyNumber: UInt32?
  /// What a worker is told about a call without metadata or key: the same for all calls of the peer.
  let plainExtra: Envelope.Extra

  package init(identity: CallerIdentity, rights: KeyRights, keyNumber: UInt32? = nil) {
    self.keyNumber = keyNumber
    self.identity = identity
    self.rights = rights
    plainExtra = Envelope.Extra(caller: identity)
  }

  /// A client with a verified identity.
  package static func client(_ identity: CallerIdentity, keyNumber: UInt32? = nil) -> PeerCredentials {
    PeerCredentials(identity: identity, rights: .none, keyNumber: keyNumber)
  }

  /// A service of this installation.
  package static func service(
    named name: String, rights: KeyRights = .all, keyNumber: UInt32? = nil
  ) -> PeerCredentials {
    PeerCredentials(
      identity: CallerIdentity(kind: .service, subject: name), rights: rights, keyNumber: keyNumber)
  }

  /// A process that may enter the private sockets of the clients: it is the operator's.
  package static let localOperator = PeerCredentials(
    identity: CallerIdentity(kind: .operator, subject: "local"),
    rights: KeyRights(serving: .only([]), vouching: .anybody))

  /// Whether its claims about callers are ignored.
  var isClient: Bool { rights == .none && identity.kind != .service }

  package static func == (left: PeerCredentials, right: PeerCredentials) -> Bool {
    left === right
      || (left.identity == right.identity && left.rights == right.rights && left.keyNumber == right.keyNumber)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(rights)
  }
}
