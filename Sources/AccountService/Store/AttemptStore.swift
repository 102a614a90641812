internal import Base
internal import ServicePolicy
internal import Storage

/// What wrong attempts are counted for.
enum AttemptPlace: Hashable, Sendable {
  /// A person at a device, who need not exist.
  case person(String, device: String)
  /// A device, for all people together.
  case device(String)
  /// Codes that are typed at a device.
  case codes(device: String)
}

/// Counts of wrong attempts, by their places.
struct AttemptStore: Sendable {
  private let secret: [UInt8]

  init(secret: [UInt8]) {
    self.secret = secret
  }

  private func row(of place: AttemptPlace, in tenant: Tenant) -> GuessPlace {
    switch place {
    case .person(let person, let device):
      GuessPlace("person/\(device)/\(Hex.encode(code(of: person, in: tenant)))", .person)
    case .device(let device): GuessPlace("device/\(device)", .device)
    case .codes(let device): GuessPlace("codes/\(device)", .device)
    }
  }

  private func rows(of places: [AttemptPlace], _ transaction: Transaction) -> [GuessPlace] {
    places.map { row(of: $0, in: transaction.tenant) }
  }

  /// A keyed code that is stored instead of the person's name. Strangers send such names: one may be long, or
  /// somebody's real name that was typed by mistake. Without the key, a reader of the database cannot try out names.
  private func code(of person: String, in tenant: Tenant) -> [UInt8] {
    let key = Digest(of: Array("assent-attempt-key-1\n\(tenant.id)\n".utf8) + secret).bytes
    return MessageCode.make(Array(person.utf8), key: key)
  }

  func begin(_ places: [AttemptPlace], _ transaction: Transaction) throws -> GuessStore.Beginning {
    try GuessStore.begin(rows(of: places, transaction), transaction)
  }

  func takeBack(_ places: [AttemptPlace], counted before: [Guesses], _ transaction: Transaction) throws {
    try GuessStore.takeBack(rows(of: places, transaction), counted: before, transaction)
  }

  func succeed(_ places: [AttemptPlace], _ transaction: Transaction) throws {
    try GuessStore.succeed(rows(of: places, transaction), transaction)
  }

  /// Forgets wrong attempts, because an administrator vouches for the person.
  func forgive(_ place: AttemptPlace, _ transaction: Transaction) throws {
    try GuessStore.forgive(row(of: place, in: transaction.tenant), transaction)
  }
}
