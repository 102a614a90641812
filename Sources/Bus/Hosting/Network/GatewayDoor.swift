/// A socket on which a gateway listens.
final class GatewayDoor {
  let link: Link
  let door: GatewayListener.Door
  /// The credentials of peers on a socket in a private directory; nil where keys decide.
  let localCredentials: PeerCredentials?

  init(_ link: Link, door: GatewayListener.Door, isLocal: Bool) {
    self.link = link
    self.door = door
    localCredentials = isLocal ? door.localCredentials : nil
  }
}

extension [GatewayDoor] {
  func door(of link: Int) -> GatewayDoor? {
    for door in self where door.link.id == link { return door }
    return nil
  }
}
