internal import Base

/// The options of a socket that must be set before it binds or connects.
package struct SocketOptions: Sendable {
  package enum Kind: Sendable {
    /// Has many peers, each with its routing id; a message to a peer that is gone or full is refused, never dropped.
    case router
    /// Has one peer, and keeps no messages while it is not connected.
    case dealer
    /// Answers one request at a time, within the process.
    case reply
    /// One end of a pipe within the process.
    case pair
  }

  package enum Security: Sendable {
    /// For ipc sockets in a private directory, and within a process.
    case none
    /// Accepts the peers whose keys the authenticator accepts in `domain`.
    case curveServer(keys: CurveKeyPair, domain: String)
    case curveClient(keys: CurveKeyPair, server: CurvePublicKey)
  }

  package var kind: Kind
  package var security: Security
  /// How long a closed socket goes on sending what it has accepted.
  package var linger: Duration = .milliseconds(500)
  package var sendHighWater: Int32 = 4096
  package var receiveHighWater: Int32 = 4096
  /// Per frame; a peer that sends a larger one is disconnected.
  package var maxFrameBytes: Int64 = 1 << 20
  /// Zero for connections on this machine: the system reports their end, and no thread needs to wake for heartbeats.
  package var heartbeatInterval: Duration = .seconds(1)
  package var heartbeatTimeout: Duration = .seconds(3)
  package var reconnectInterval: Duration = .milliseconds(250)
  package var reconnectIntervalMax: Duration = .seconds(1)
  package var handshakeTimeout: Duration = .seconds(5)
  package var acceptBacklog: Int32 = 1024

  package init(_ kind: Kind, security: Security = .none) {
    self.kind = kind
    self.security = security
  }
}
