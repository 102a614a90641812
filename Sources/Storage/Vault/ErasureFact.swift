internal import Base

/// Something that must stay so when an older state of a database comes back: an erasure, a hold, a hold's end.
struct ErasureFact: Hashable, Sendable {
  enum Kind: String, Sendable {
    case erased, held, lifted
  }

  let kind: Kind
  let tenant: Tenant
  let subject: Subject
  /// The hold's identifier, where the fact is about a hold; empty for an erasure.
  let hold: String
  let actor: String
  let at: Instant

  /// What tells facts apart: the same one may be written down more than once.
  var name: String { "\(kind.rawValue) \(tenant) \(kind == .erased ? subject.id : hold)" }

  /// One line. Identifiers have no spaces, and who did it is written so that it has none; the full stop at the end
  /// tells a whole line from one that a crash cut short.
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

  /// nil for anything but a whole line.
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
