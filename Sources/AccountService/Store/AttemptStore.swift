internal import Base
internal import Storage

/// Where wrong attempts are counted.
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

  fileprivate var name: String {
    switch self {
    // The person's name comes from a stranger and may be long: its digest stands for it.
    case .person(let person, let device): "person/\(device)/\(Digest(of: Array(person.utf8)).hex)"
    case .device(let device): "device/\(device)"
    case .codes(let device): "codes/\(device)"
    }
  }
}

enum AttemptStore {
  private static let open = Statement(
    "attempt.open",
    "INSERT INTO attempts (tenant, place, failures, blocked_ms) VALUES ({tenant}, ?, 0, 0) "
      + "ON CONFLICT (tenant, place) DO NOTHING")
  private static let lock = Statement(
    "attempt.lock", "SELECT failures, blocked_ms FROM attempts WHERE tenant = {tenant} AND place = ? FOR UPDATE")
  private static let set = Statement(
    "attempt.set", "UPDATE attempts SET failures = ?, blocked_ms = ? WHERE tenant = {tenant} AND place = ?")
  private static let clear = Statement("attempt.clear", "DELETE FROM attempts WHERE tenant = {tenant} AND place = ?")

  static let statements = [open, lock, set, clear]

  /// Counts an attempt before it is checked, and returns zero. During a delay it counts nothing, and returns the rest
  /// of the delay.
  static func begin(_ places: [AttemptPlace], _ transaction: Transaction) throws -> Duration {
    var counted: [(AttemptPlace, Attempts)] = []
    for place in places {
      let attempts = try locked(place, transaction)
      let wait = place.rules.wait(attempts, at: transaction.now)
      if wait > .zero { return wait }
      counted.append((place, place.rules.attempted(attempts, at: transaction.now)))
    }
    for (place, attempts) in counted {
      try transaction.run(set, attempts.failures, attempts.blockedUntil, place.name)
    }
    return .zero
  }

  /// The attempt succeeded: forgets the person's wrong attempts, and takes this one off the device's count.
  static func succeed(_ places: [AttemptPlace], _ transaction: Transaction) throws {
    for place in places {
      if case .person = place {
        try transaction.run(clear, place.name)
      } else {
        let attempts = try locked(place, transaction)
        try transaction.run(set, max(0, attempts.failures - 1), transaction.now, place.name)
      }
    }
  }

  /// Forgets wrong attempts, because an administrator vouches for the person.
  static func forgive(_ place: AttemptPlace, _ transaction: Transaction) throws {
    try transaction.run(clear, place.name)
  }

  /// Locks the row, so that attempts at the same time are counted one after the other.
  private static func locked(_ place: AttemptPlace, _ transaction: Transaction) throws -> Attempts {
    try transaction.run(open, place.name)
    let row = try transaction.one(lock, place.name)
    return Attempts(failures: try row.get("failures"), blockedUntil: try row.get("blocked_ms"))
  }
}
