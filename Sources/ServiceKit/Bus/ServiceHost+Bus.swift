internal import Base
public import Bus
public import RPC

extension ServiceHost {
  /// The channel to other services, through every gateway. Calls made before a gateway answers wait for one.
  public func channel() async throws -> BusChannel {
    try await busConnection().channel
  }

  /// Offers services to every gateway, and returns when one has accepted.
  ///
  /// When the process is asked to end it takes no new calls and lets the running ones finish; parts that were started
  /// before are stopped after that.
  ///
  /// - Parameters:
  ///   - slots: how many handlers run at a time, not counting those that wait for others.
  ///   - executor: where handlers run: a pool's threads, which are the database's (`Database.executor`) where there is
  ///     one.
  public func serve(_ services: [any RPCService], slots: Int, executor: any TaskExecutor) async throws {
    let connection = try await busConnection()
    var serving = BusConnection.Serving(slots: slots)
    serving.observers = [CallMetrics(metrics)]
    serving.executor = executor
    serving.notices = { [readiness] in readiness.notices }
    let faults = FaultLog(log, clock: clock)
    serving.report = { error, id, method in faults.note(error, id: id, method: method.path) }
    connection.serve(services, serving)
    await lifecycle.onStop("calls") { await connection.drain() }
    // Warns after two seconds without an answer, since a gateway that is not running gives none at all.
    let telling = Task { [log, busSettings] in
      try await Task.sleep(for: .seconds(2))
      let doors = try busSettings.map { try $0.group.endpoints($0) } ?? []
      log.warn("no gateway has answered yet", ["doors": doors.map(\.description).joined(separator: ",")])
    }
    defer { telling.cancel() }
    try await connection.ready()
    announce("\(slots) slots")
  }

  private func busConnection() async throws -> BusConnection {
    guard let bus = busSettings else { preconditionFailure("\(name) has no settings for the bus") }
    return try await membership.connection { [self] in
      let connection = try await bus.connect(as: settings.instanceName(of: name), log: log) { [self] why in
        giveUp(because: "the connection to the bus failed: \(why)")
      }
      await lifecycle.onStop("bus") { try await connection.close() }
      return connection
    }
  }
}
