internal import Base
internal import ServiceKit
internal import ServiceStorage
internal import Storage

extension Command {
  /// Commands for a service's database, on either engine, while the service runs or not. `renew-log-keys` is for a
  /// service that is stopped.
  static let data = Command(
    "data", "checks, backs up and restores a service's database, replaces its keys, and grants rights",
    settings: DataSettings(),
    operands: "ACTION", actions: actions, count: 1...2
  ) { settings in
    let stored = settings.settings(of: \.database)
    let location = try stored.location(of: settings[\.service])
    let keys = try stored[\.masterKey].map { try MasterKeys(text: $0.reveal()) }
    let open = { try await Database.inspect(location, schema: settings[\.service], keys: keys) }
    switch (settings.operands.first, settings.operands.dropFirst().first) {
    case ("check", nil):
      let heads = try settings[\.head].map { try SignedCheckpoint.list(try text($0), at: $0) }
      let trusted = try trustedKeys(settings)
      let report = try await check(open(), opensVault: keys != nil, heads: heads ?? [], trusted: trusted.keys)
      try sayHeads(report, from: settings[\.head], of: settings[\.service])
      say(trusted.line)
      sayVault(report, isOpen: keys != nil)
    case ("backup", let file?):
      let database = try await open()
      let summary = try await LongWork().run { try await database.backup(to: file, progress: $0) }
      await database.close()
      say("✓ \(summary.rows) rows of \(summary.tables) tables of '\(summary.schema)' are in \(file)")
    case ("restore", let file?):
      let name = try Database.schemaName(ofArchive: file)
      guard name == settings[\.service] else {
        throw DataProblem(
          "\(file) is an archive of '\(name)', not of '\(settings[\.service])': say --schema \(name), and where its "
            + "database is")
      }
      let place = try stored.preparedLocation(of: settings[\.service])
      let summary = try await LongWork().run { try await Database.restore(file, to: place, progress: $0) }
      say("✓ \(summary.rows) rows of \(summary.tables) tables of '\(summary.schema)' are in \(location)")
    case ("rotate", nil):
      guard keys != nil else { throw DataProblem("rotate needs --master-key-file: the new key, then the old ones") }
      let database = try await open()
      let count = try await LongWork().run { reach in
        try await database.rotateMasterKey { reach($0, "keys are wrapped under the new master key") }
      }
      say("✓ \(count) keys were wrapped under the new master key")
      await database.close()
    case ("rotate-keys", nil):
      guard keys != nil else { throw DataProblem("rotate-keys needs --master-key-file") }
      try await rotateKeys(open())
    case ("renew-log-keys", nil):
      guard keys != nil else {
        throw DataProblem("renew-log-keys needs --master-key-file: a new key, then the old ones")
      }
      try await renewLogKeys(open(), trusted: try trustedKeys(settings).keys)
    case ("grant", let role?):
      let database = try await open()
      try await database.grant(to: role)
      say("✓ role '\(role)' may run the service, and may not change what is append-only")
      await database.close()
    default:
      throw DataProblem(
        "say one of: check, backup FILE, restore FILE, rotate, rotate-keys, renew-log-keys, grant ROLE")
    }
  }

  private static let actions = [
    CommandAction(
      "check", does: "compares the database with its log, and the log with heads that were kept elsewhere",
      settings: ["head", "evidence-public-key"]),
    CommandAction("backup", "FILE", does: "writes everything to a file, while the service runs or not"),
    CommandAction("restore", "FILE", does: "fills an empty database from such a file"),
    CommandAction("rotate", does: "wraps all keys under a new master key"),
    CommandAction("rotate-keys", does: "gives every tenant and every subject new keys"),
    CommandAction(
      "renew-log-keys", does: "gives every log a new key and its events new codes, while the service is stopped",
      settings: ["evidence-public-key"]),
    CommandAction("grant", "ROLE", does: "lets a role of PostgreSQL run the service without owning its tables"),
  ]

  /// Gives every tenant and every subject new keys. If this is interrupted, another run goes on. Damaged data of one
  /// tenant do not keep the others from getting new keys.
  private static func rotateKeys(_ database: Database) async throws {
    try await database.forEachTenant { scope in
      let count = try await scope.rotateKeys(by: "assent data") { count in
        if count.isMultiple(of: 50) { say("  \(count) subjects of tenant '\(scope.tenant)' have new keys") }
      }
      say("✓ tenant '\(scope.tenant)' and \(count) of its subjects have new keys")
    }
    await database.close()
  }

  /// Gives every log whose key a former master key wraps a new one. If this is interrupted, another run does the rest.
  private static func renewLogKeys(_ database: Database, trusted: [VerifyingKey]) async throws {
    let renewal = try await LongWork().run { try await database.renewLogKeys(trusted: trusted, progress: $0) }
    await database.close()
    for problem in renewal.problems { say("✗ \(problem)") }
    if renewal.problems.isEmpty, renewal.tenants == 0, renewal.current > 0 {
      throw DataProblem("no log has a key under a former master key: put a new one on top of --master-key-file first")
    }
    say("✓ \(renewal.events) events of \(renewal.tenants) tenants have codes by a new key")
    if renewal.current > 0 { say("– \(renewal.current) logs have a key under the newest master key, and keep it") }
    guard renewal.problems.isEmpty else {
      throw DataProblem("\(renewal.problems.count) logs keep their keys: see what 'assent data check' says of them")
    }
  }

  /// The public keys that heads must bear, from the file that was named or else the one beside the data, and a line
  /// that says so.
  private static func trustedKeys(_ settings: Settings<DataSettings>) throws -> (keys: [VerifyingKey], line: String) {
    let beside = "\(settings.settings(of: \.database)[\.folder])/evidence.pub"
    guard let file = settings[\.publicKey] ?? (Files.exists(beside) ? beside : nil) else {
      return ([], "– signatures were not verified: --evidence-public-key was not given, and there is no \(beside)")
    }
    return (try VerifyingKey.list(try text(file)), "✓ the signatures of heads are by keys in \(file)")
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path, limit: 1 << 30), as: UTF8.self)
  }

  private static func check(
    _ database: Database, opensVault: Bool, heads: [SignedCheckpoint], trusted: [VerifyingKey]
  ) async throws -> CheckReport {
    let report = try await LongWork().run {
      try await database.check(opensVault: opensVault, heads: heads, trusted: trusted, progress: $0)
    }
    await database.close()
    for problem in report.problems { say("✗ \(problem)") }
    guard report.problems.isEmpty else { throw DataProblem("\(report.problems.count) problems were found") }
    say("✓ \(report.events) events in sequence, their \(opensVault ? "hashes and codes" : "hashes") match")
    say("✓ \(report.rows) rows are as events committed to them, \(report.heads) signed heads fit")
    return report
  }

  /// Says how many heads the log was compared with. Throws for a file without a head of this service, which proves
  /// nothing.
  private static func sayHeads(_ report: CheckReport, from file: String?, of service: String) throws {
    guard let file else { return say("– no heads that were kept elsewhere were compared: --head was not given") }
    guard report.givenHeads > 0 else {
      throw DataProblem("\(file) has no signed head of service '\(service)': the log was compared with none")
    }
    say("✓ \(report.givenHeads) of them are from \(file)")
  }

  private static func sayVault(_ report: CheckReport, isOpen: Bool) {
    guard isOpen else {
      return say("– who wrote the events was not verified, nor sealed data opened: --master-key-file was not given")
    }
    say("✓ \(report.items) items of \(report.subjects) subjects open, \(report.commitments) commitments match")
    say("✓ \(report.answers) answers kept for repeats open")
  }
}

/// Why `assent data` could not do what it was asked.
private struct DataProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
