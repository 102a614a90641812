internal import Base

/// An erasure, a hold or a hold's lifting, which must be repeated if an older state of the database is restored.
struct ErasureFact: Hashable, Sendable {
  enum Kind: String, Sendable {
    case erased, held, lifted
  }

  let kind: Kind
  let tenant: Tenant
  let subject: Subject
  /// The identifier of the hold; empty for an erasure.
  let hold: String
  let actor: String
  let at: Instant

  /// Identifies the fact, since the same one may be written down more than once.
  var name: String { "\(kind.rawValue) \(tenant) \(kind == .erased ? subject.id : hold)" }

  /// The fact as one line with spaces between its parts. Identifiers have no spaces, and the actor is written in
  /// hexadecimal. The full stop at the end shows that a crash has not truncated the line.
  var line: String {
    let who = Hex.encode(Array(actor.utf8))
    return "\(kind.rawValue) \(tenant) \(subject) \(hold.isEmpty ? "-" : hold) "
      + "\(at.millisecondsSince1970) \(who.isEmpty ? "-" : who) .\n"
  }

  init(_ kind: Kind, _ tenant: Tenant, _ subject: Subject, hold: String = "", actor: String = "", at: Instant) {
    self.kind = kind
    self.tenant = tenant
    self.subject = subject
    self.hold = hold
    self.actor = actor
    self.at = at
  }

  /// Reads a line; nil for anything but a complete one.
  init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 7, words[6] == ".", let kind = Kind(rawValue: String(words[0])),
      let tenant = Tenant(String(words[1])), let subject = Subject(String(words[2])), let at = Int64(words[4]),
      let actor = Hex.decode(words[5] == "-" ? "" : String(words[5]))
    else { return nil }
    self.init(
      kind, tenant, subject, hold: words[3] == "-" ? "" : String(words[3]),
      actor: String(decoding: actor, as: UTF8.self), at: Instant(millisecondsSince1970: at))
  }
}
