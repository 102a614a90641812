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
