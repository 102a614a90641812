/// How a worker or a client introduces itself on a link.
package struct Hello: Hashable, Sendable {
  /// The process, by a UUID it drew at its start.
  package var instance: String
  /// Grows with each HELLO of the instance: a higher one supersedes the session of a lower one of the same link.
  package var epoch: UInt64
  /// Which of the process's links this is: two of them may lead to one gateway.
  package var link: UInt32 = 0
  package var role: Role
  package var oldestVersion: UInt32 = BusLimits.protocolVersion
  package var newestVersion: UInt32 = BusLimits.protocolVersion
  /// What a worker serves; empty for clients.
  package var services: [ServiceOffer] = []
  /// How many handlers run at a time.
  package var slots: UInt32 = 0
  /// How many calls beyond its slots a worker takes into its own queue.
  package var prefetch: UInt32 = 0
  package var largestMessage: UInt64 = UInt64(BusLimits.largestMessage)
  /// The program's version and where it runs: for people who look at the list of instances.
  package var version = ""
  package var address = ""
  /// Where its connection comes from, on TCP: the gateway sees that, and no peer says it.
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

  /// A service as a worker offers it.
  package struct ServiceOffer: Hashable, Sendable {
    package var name: String
    /// The hash of its descriptor set, so that a mixed roll-out shows.
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

/// What a process says of itself with PING and PONG.
package struct Load: Hashable, Sendable {
  /// Worker: handlers that run. Gateway: calls that wait for this worker's services.
  package var busy: UInt32
  package var waiting: UInt32
  /// Worker: grows with everything a handler does; one that stands still under load shows a wedged pool.
  package var progress: UInt64

  package init(busy: UInt32 = 0, waiting: UInt32 = 0, progress: UInt64 = 0) {
    self.busy = busy
    self.waiting = waiting
    self.progress = progress
  }
}
