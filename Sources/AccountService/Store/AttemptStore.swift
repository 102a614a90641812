internal import Base
internal import Storage

/// What wrong attempts are counted for.
enum AttemptPlace: Hashable, Sendable {
  /// A person at a device, who need not exist.
  case person(String, device: String)
  /// A device, for all people together.
  case device(String)
  /// Codes that are typed at a device.
  case codes(device: String)

  var rules: AttemptRules {
    if case .person = self { .person } else { .device }
  }
}

/// Counts of wrong attempts, by their places.
struct AttemptStore: Sendable {
  private static let open = Statement(
    "attempt.open",
    "INSERT INTO attempts (tenant, place, failures, blocked_ms) VALUES ({tenant}, ?, 0, 0) "
      + "ON CONFLICT (tenant, place) DO NOTHING")
  private static let lock = Statement(
    "attempt.lock", "SELECT failures, blocked_ms FROM attempts WHERE tenant = {tenant} AND place = ? FOR UPDATE")
  private static let set = Statement(
    "attempt.set", "UPDATE attempts SET failures = ?, blocked_ms = ? WHERE tenant = {tenant} AND place = ?")
  private static let clear = Statement("attempt.clear", "DELETE FROM attempts WHERE tenant = {tenant} AND place = ?")

  private static let forget = Statement(
    "attempt.forget", "DELETE FROM attempts WHERE tenant = {tenant} AND blocked_ms < ?")

  static let statements = [open, lock, set, clear, forget]

  private static let mostFailures: Int64 = 1 << 32

  private let secret: [UInt8]

  init(secret: [UInt8]) {
    self.secret = secret
  }

  private func name(of place: AttemptPlace, in tenant: Tenant) -> String {
    switch place {
    case .person(let person, let device): "person/\(device)/\(Hex.encode(code(of: person, in: tenant)))"
    case .device(let device): "device/\(device)"
    case .codes(let device): "codes/\(device)"
    }
  }

  /// A keyed code that is stored instead of the person's name. Strangers send such names: one may be long, or
  /// somebody's real name that was typed by mistake. Without the key, a reader of the database cannot try out names.
  private func code(of person: String, in tenant: Tenant) -> [UInt8] {
    let key = Digest(of: Array("assent-attempt-key-1\n\(tenant.id)\n".utf8) + secret).bytes
    return MessageCode.make(Array(person.utf8), key: key)
  }

  /// The result of beginning an attempt.
  enum Beginning: Sendable {
    /// The attempt is counted. These are the counts before it, one for each place.
    case counted([Attempts])
    /// A delay is running, so nothing is counted. This is the rest of the delay.
    case waits(Duration)
  }

  /// Counts an attempt before it is checked. During a delay it counts nothing.
  func begin(_ places: [AttemptPlace], _ transaction: Transaction) throws -> Beginning {
    var before: [Attempts] = []
    for place in places {
      let attempts = try locked(place, transaction)
      let wait = place.rules.wait(attempts, at: transaction.now)
      if wait > .zero { return .waits(wait) }
      before.append(attempts)
    }
    for (place, attempts) in zip(places, before) {
      try save(place.rules.attempted(attempts, at: transaction.now), at: place, transaction)
    }
    return .counted(before)
  }

  /// Takes back an attempt that was counted and never checked.
  func takeBack(_ places: [AttemptPlace], counted before: [Attempts], _ transaction: Transaction) throws {
    for (place, known) in zip(places, before) {
      let attempts = try locked(place, transaction)
      try save(place.rules.takenBack(attempts, counted: known, at: transaction.now), at: place, transaction)
    }
  }

  private func save(_ attempts: Attempts, at place: AttemptPlace, _ transaction: Transaction) throws {
    try transaction.run(Self.set, attempts.failures, attempts.blockedUntil, name(of: place, in: transaction.tenant))
  }

  /// Called when an attempt succeeded. Deletes the person's count, and takes this attempt and one wrong one off the
  /// device's.
  func succeed(_ places: [AttemptPlace], _ transaction: Transaction) throws {
    for place in places {
      if case .person = place {
        try transaction.run(Self.clear, name(of: place, in: transaction.tenant))
      } else {
        let attempts = try locked(place, transaction)
        try save(place.rules.succeeded(attempts, at: transaction.now), at: place, transaction)
      }
    }
  }

  /// Forgets wrong attempts, because an administrator vouches for the person.
  func forgive(_ place: AttemptPlace, _ transaction: Transaction) throws {
    try transaction.run(Self.clear, name(of: place, in: transaction.tenant))
  }

  /// Deletes counts whose delay ended before a time. Otherwise they would pile up, since anybody may try any name. An
  /// attacker wins nothing by waiting that long: the delays would have allowed more guesses.
  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }

  /// Locks the row, so that attempts at the same time are counted one after the other.
  private func locked(_ place: AttemptPlace, _ transaction: Transaction) throws -> Attempts {
    let row = name(of: place, in: transaction.tenant)
    try transaction.run(Self.open, row)
    let counted = try transaction.one(Self.lock, row)
    let failures: Int64 = try counted.get("failures")
    // Beyond any bound of the rules it makes no difference how many there were.
    return Attempts(
      failures: min(max(failures, 0), Self.mostFailures), blockedUntil: try counted.get("blocked_ms"))
  }
}
