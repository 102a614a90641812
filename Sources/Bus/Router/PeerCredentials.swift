internal import Base
package import RPC

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

extension PeerCredentials {
  /// The peer's name in the list of keys, for people.
  package var name: String { identity.tenant.isEmpty ? identity.subject : "\(identity.tenant)/\(identity.subject)" }
  /// The same of a peer that has proved a key; nil on this machine's own sockets, where nobody has one.
  package var keyName: String? { keyNumber == nil ? nil : name }
}
