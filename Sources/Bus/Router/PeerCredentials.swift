internal import Base
package import RPC

/// What a gateway knows of a peer by its key, or by the private socket that it came by.
package final class PeerCredentials: Hashable, Sendable {
  package let identity: CallerIdentity
  package let rights: KeyRights
  /// The host's number for the key; nil if the peer has none.
  package let keyNumber: UInt32?
  /// The rare fields of the OPEN that a worker gets for a call without metadata: only the caller, so that all calls of
  /// the peer share one object.
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

  /// A process that can open the clients' socket in the private directory: it belongs to the operator.
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
  /// The name, if the peer has proved a key; nil on this machine's own sockets, where peers have none.
  package var keyName: String? { keyNumber == nil ? nil : name }
}
