package import Base
package import Storage

/// A place at which wrong passcodes, codes or answers are counted.
package struct GuessPlace: Hashable, Sendable {
  /// The name of its row. It holds nothing personal.
  package let name: String
  package let rules: GuessRules

  package init(_ name: String, _ rules: GuessRules) {
    (self.name, self.rules) = (name, rules)
  }
}

/// Counts of wrong guesses, by their places, in a table that each service which counts them has of its own.
package enum GuessStore {
  private static let open = Statement(
    "guess.open",
    "INSERT INTO guesses (tenant, place, failures, blocked_ms) VALUES ({tenant}, ?, 0, 0) "
      + "ON CONFLICT (tenant, place) DO NOTHING")
  private static let lock = Statement(
    "guess.lock", "SELECT failures, blocked_ms FROM guesses WHERE tenant = {tenant} AND place = ? FOR UPDATE")
  private static let set = Statement(
    "guess.set", "UPDATE guesses SET failures = ?, blocked_ms = ? WHERE tenant = {tenant} AND place = ?")
  private static let clear = Statement("guess.clear", "DELETE FROM guesses WHERE tenant = {tenant} AND place = ?")
  private static let forget = Statement(
    "guess.forget", "DELETE FROM guesses WHERE tenant = {tenant} AND blocked_ms < ?")

  package static let statements = [open, lock, set, clear, forget]

  package static let coverage = TableCoverage("guesses", key: ["place"], committed: ["failures", "blocked_ms"])

  /// The part of a service's migration that makes the table.
  package static let table = """
    CREATE TABLE guesses (
      tenant TEXT NOT NULL, place TEXT NOT NULL, failures BIGINT NOT NULL, blocked_ms BIGINT NOT NULL,
      PRIMARY KEY (tenant, place));
    """

  /// How long a count is kept after its delay. Otherwise counts would pile up, since anybody may try any name. An
  /// attacker wins nothing by waiting that long: the delays would have allowed more guesses.
  package static let memory = Duration.days(30)

  private static let mostFailures: Int64 = 1 << 32

  /// The result of beginning an attempt.
  package enum Beginning: Sendable {
    /// The attempt is counted. These are the counts before it, one for each place.
    case counted([Guesses])
    /// A delay is running, so nothing is counted. This is the rest of the delay.
    case waits(Duration)
  }

  /// How long the next attempt at a place has to wait: zero when it need not, nil when none was ever wrong there. For
  /// checks that are made in the same transaction, so that only wrong ones have to be counted.
  package static func wait(at place: GuessPlace, _ transaction: Transaction) throws -> Duration? {
    try transaction.first(lock, place.name).map { place.rules.wait(try counted(in: $0), at: transaction.now) }
  }

  /// Counts an attempt before it is checked. During a delay it counts nothing.
  package static func begin(_ places: [GuessPlace], _ transaction: Transaction) throws -> Beginning {
    var before: [Guesses] = []
    for place in places {
      let guesses = try locked(place, transaction)
      let wait = place.rules.wait(guesses, at: transaction.now)
      if wait > .zero { return .waits(wait) }
      before.append(guesses)
    }
    for (place, guesses) in zip(places, before) {
      try save(place.rules.attempted(guesses, at: transaction.now), at: place, transaction)
    }
    return .counted(before)
  }

  /// Takes back an attempt that was counted and never checked.
  package static func takeBack(_ places: [GuessPlace], counted before: [Guesses], _ transaction: Transaction) throws {
    for (place, known) in zip(places, before) {
      let guesses = try locked(place, transaction)
      try save(place.rules.takenBack(guesses, counted: known, at: transaction.now), at: place, transaction)
    }
  }

  private static func save(_ guesses: Guesses, at place: GuessPlace, _ transaction: Transaction) throws {
    try transaction.run(set, guesses.failures, guesses.blockedUntil, place.name)
  }

  /// Called when an attempt succeeded. Deletes the count of one person or invitation, and takes this attempt and one
  /// wrong one off a device's.
  package static func succeed(_ places: [GuessPlace], _ transaction: Transaction) throws {
    for place in places {
      switch place.rules {
      case .person: try forgive(place, transaction)
      case .device:
        let guesses = try locked(place, transaction)
        try save(place.rules.succeeded(guesses, at: transaction.now), at: place, transaction)
      }
    }
  }

  /// Forgets the wrong guesses at a place.
  package static func forgive(_ place: GuessPlace, _ transaction: Transaction) throws {
    try transaction.run(clear, place.name)
  }

  /// Deletes counts whose delay ended before a time.
  package static func forget(before time: Instant, _ transaction: Transaction) throws {
    try transaction.run(forget, time)
  }

  /// Locks the row, so that attempts at the same time are counted one after the other.
  private static func locked(_ place: GuessPlace, _ transaction: Transaction) throws -> Guesses {
    try transaction.run(open, place.name)
    return try counted(in: try transaction.one(lock, place.name))
  }

  private static func counted(in row: Row) throws -> Guesses {
    let failures: Int64 = try row.get("failures")
    // Beyond any bound of the rules it makes no difference how many there were.
    return Guesses(failures: min(max(failures, 0), mostFailures), blockedUntil: try row.get("blocked_ms"))
  }
}
