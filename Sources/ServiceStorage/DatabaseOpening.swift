internal import Base
public import ServiceKit
public import Storage

extension ServiceHost {
  /// Opens a service's database, migrates its tables to this version, and closes it when the process ends.
  ///
  /// - Parameter alongside: deletes the service's own data of a subject who was erased before, and whom a restored
  ///   backup has brought back.
  public func openDatabase(
    _ stored: Settings<DatabaseSettings>, of service: String, schema: Schema,
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void
  ) async throws -> Database {
    let telling = Task { [log] in
      var pause = Duration.seconds(10)
      while true {
        try await Task.sleep(for: pause)
        log.warn(
          "the database is not open yet",
          ["reason": "its server or its lock is waited for, or its tables are brought up to this version"])
        pause = .seconds(60)
      }
    }
    defer { telling.cancel() }
    let database = try await Database.open(
      try stored.preparedLocation(of: service), schema: schema, keys: try stored.masterKeys(),
      erasures: try erasureList(stored, of: service), clock: clock, randomness: randomness,
      reporting: { [log] problem in log.error("a tenant's data are damaged", ["reason": problem]) },
      alongside: alongside)
    await lifecycle.onStop("database") { await database.close() }
    database.scrubAfterStart()
    return database
  }

  /// The file in which a service's erasures and holds are written down. nil, with a warning in the log, if a database
  /// URL was given but no file.
  private func erasureList(_ settings: Settings<DatabaseSettings>, of service: String) throws -> ErasureList? {
    let report: @Sendable (String?) -> Void = { [log] problem in
      guard let problem else { return log.warn("erasures and holds are written down again") }
      log.error("erasures and holds cannot be written down", ["reason": problem])
    }
    if let file = settings[\.erasureList] { return try ErasureList("\(file).\(service)", report: report) }
    if settings[\.url] == nil {
      return try ErasureList("\(settings[\.folder])/\(service).erasures", report: report)
    }
    log.warn(
      "erasures and holds are not written down outside the database",
      ["reason": "no erasure-list was given: a restored backup brings back who is erased, and frees who is held"])
    return nil
  }
}
