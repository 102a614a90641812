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
  /// The number of the key that its connection has proved; 0 where there are no keys.
  package var key: UInt32
  package var link: UInt64

  package init(door: Door, link: UInt64, key: UInt32 = 0) {
    self.door = door
    self.key = key
    self.link = link
  }

  /// Link and door in one number: there are never so many links that the two highest bits are used.
  var number: UInt64 { link << 2 | UInt64(door.rawValue) }
}

extension Peer {
  /// Whom a gateway charges for the bytes that it keeps for the peer while that does not read.
  enum Sharer: Hashable, Sendable {
    /// All connections with one client's key.
    case key(UInt32)
    /// One connection: many processes may use a service's key, and each has a share of its own.
    case connection(UInt64)
  }

  var sharer: Sharer { door == .clients && key != 0 ? .key(key) : .connection(number) }
}
