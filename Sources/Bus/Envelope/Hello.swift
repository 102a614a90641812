package import RPC

/// How a worker or a client introduces itself on a link.
package struct Hello: Hashable, Sendable {
  /// The process, by a UUID it drew at its start.
  package var instance: String
  /// Grows with each HELLO of the instance: a higher one replaces the session of a lower one of the same link.
  package var epoch: UInt64
  /// Which of the process's links this is: two of them may lead to one gateway.
  package var link: UInt32 = 0
  package var role: Role
  package var oldestVersion: UInt32 = BusLimits.protocolVersion
  package var newestVersion: UInt32 = BusLimits.protocolVersion
  /// The services of a worker; empty for clients.
  package var services: [ServiceOffer] = []
  /// How many handlers run at a time.
  package var slots: UInt32 = 0
  /// How many calls beyond its slots a worker takes into its own queue.
  package var prefetch: UInt32 = 0
  package var largestMessage: UInt64 = UInt64(BusLimits.largestMessage)
  /// The program's version and host, for the list of instances.
  package var version = ""
  package var address = ""
  /// The TCP address that the peer's connection comes from. The gateway fills it in; it is never read from the peer's
  /// HELLO.
  package var dialledFrom = ""

  package enum Role: UInt8, Sendable {
    case client = 1
    case worker = 2
  }

  package init(instance: String, epoch: UInt64, role: Role) {
    self.instance = instance
    self.epoch = epoch
    self.role = role
  }

  /// A service that a worker offers.
  package struct ServiceOffer: Hashable, Sendable {
    package var name: String
    /// The hash of its contract, so that processes with different versions are noticed.
    package var contractHash: [UInt8]
    package var methods: [MethodDescriptor]

    package init(name: String, contractHash: [UInt8] = [], methods: [MethodDescriptor]) {
      self.name = name
      self.contractHash = contractHash
      self.methods = methods
    }
  }
}

/// A gateway's answer: the session begins.
package struct HelloAck: Hashable, Sendable {
  package var session: UInt64
  /// The gateway, by a UUID it drew at its start.
  package var gateway: String
  package var version: UInt32
  /// How often both sides ping.
  package var pingMilliseconds: UInt32

  package init(session: UInt64, gateway: String, version: UInt32, pingMilliseconds: UInt32) {
    self.session = session
    self.gateway = gateway
    self.version = version
    self.pingMilliseconds = pingMilliseconds
  }
}

/// A process's load, sent with PING and PONG.
package struct Load: Hashable, Sendable {
  /// Worker: how many handlers run and do not wait.
  package var busy: UInt32
  /// Worker: how many calls wait in its own queue. Gateway: how many calls wait there for this worker's services.
  package var waiting: UInt32
  /// Worker: grows with everything that handlers do; if it stops under load, the handlers are stuck.
  package var progress: UInt64
  /// Worker: what its operators should know, a line each.
  package var notices: [String]

  package init(busy: UInt32 = 0, waiting: UInt32 = 0, progress: UInt64 = 0, notices: [String] = []) {
    self.busy = busy
    self.waiting = waiting
    self.progress = progress
    self.notices = notices
  }
}
