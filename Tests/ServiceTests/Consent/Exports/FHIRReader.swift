import Base
import ConsentContract
import Wire

/// A reader of Consent who knows nothing but the specification's text, and decides from an export alone whether a
/// purpose is permitted now.
///
/// R5: `decision` is the base, for whatever no provision speaks of; a provision is an exception to it, and a provision
/// within a provision an exception to that. R4B: the policy rule says whether a person opted in or out, and each nested
/// provision says itself what it does. In both, a Consent counts only while it is active and within its period, and a
/// provision speaks of the purposes that it lists, within its period.
struct FHIRReader {
  private let consents: [PlainJSON]
  private let isR5: Bool
  private var now: String

  init(_ file: [UInt8], isR5: Bool, at now: Instant) throws {
    let bundle = try PlainJSON(file)
    consents = bundle["entry"].items.map { $0["resource"] }.filter { $0["resourceType"].text == "Consent" }
    self.isR5 = isR5
    self.now = TimeText.rfc3339(now)
  }

  /// The same export, read at another time.
  func read(at now: Instant) -> FHIRReader {
    var later = self
    later.now = TimeText.rfc3339(now)
    return later
  }

  func permits(_ purpose: String) -> Bool {
    consents.contains { consent in
      guard consent["status"].text == "active" else { return false }
      return isR5 ? decidesR5(consent, purpose) : decidesR4B(consent, purpose)
    }
  }

  private func decidesR5(_ consent: PlainJSON, _ purpose: String) -> Bool {
    guard covers(consent["period"]) else { return false }
    return decision(consent["decision"].text == "permit", consent["provision"], purpose)
  }

  /// The base, turned by every provision that applies, as far down as they do.
  private func decision(_ base: Bool, _ exceptions: PlainJSON, _ purpose: String) -> Bool {
    guard let exception = exceptions.items.first(where: { applies($0, purpose) }) else { return base }
    return decision(!base, exception["provision"], purpose)
  }

  private func decidesR4B(_ consent: PlainJSON, _ purpose: String) -> Bool {
    let rule = consent["policyRule"]["coding"].items.first?["code"].text ?? ""
    guard covers(consent["provision"]["period"]) else { return false }
    return stated(rule.hasPrefix("OPTIN"), consent["provision"]["provision"], purpose)
  }

  private func stated(_ base: Bool, _ provisions: PlainJSON, _ purpose: String) -> Bool {
    guard let provision = provisions.items.first(where: { applies($0, purpose) }) else { return base }
    return stated(provision["type"].text == "permit", provision["provision"], purpose)
  }

  private func applies(_ provision: PlainJSON, _ purpose: String) -> Bool {
    let purposes = provision["purpose"].items
    return covers(provision["period"]) && (purposes.isEmpty || purposes.contains { $0["code"].text == purpose })
  }

  /// Both times are UTC in the same form, which the order of letters orders.
  private func covers(_ period: PlainJSON) -> Bool {
    let (start, end) = (period["start"].text, period["end"].text)
    return (start.isEmpty || start <= now) && (end.isEmpty || now < end)
  }
}

/// JSON as a tree of values, for tests: what is missing is empty.
enum PlainJSON {
  case none
  case word(String)
  case list([PlainJSON])
  case members([String: PlainJSON])

  struct Malformed: Error {}

  init(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    self = try Self.value(&rest)
  }

  subscript(name: String) -> PlainJSON { if case .members(let all) = self { all[name] ?? .none } else { .none } }
  var items: [PlainJSON] { if case .list(let all) = self { all } else { [] } }
  var isNone: Bool { if case .none = self { true } else { false } }
  var text: String { if case .word(let word) = self { word } else { "" } }

  private static func value(_ rest: inout ArraySlice<UInt8>) throws -> PlainJSON {
    skip(&rest)
    switch rest.first {
    case UInt8(ascii: "{"):
      var members: [String: PlainJSON] = [:]
      try sequence(&rest, UInt8(ascii: "}")) { rest in
        guard case .word(let name) = try value(&rest) else { throw Malformed() }
        skip(&rest)
        guard rest.popFirst() == UInt8(ascii: ":") else { throw Malformed() }
        members[name] = try value(&rest)
      }
      return .members(members)
    case UInt8(ascii: "["):
      var items: [PlainJSON] = []
      try sequence(&rest, UInt8(ascii: "]")) { rest in items.append(try value(&rest)) }
      return .list(items)
    case UInt8(ascii: "\""):
      rest.removeFirst()
      var text: [UInt8] = []
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? 0 : byte)
      }
      return .word(String(decoding: text, as: UTF8.self))
    default:
      let word = rest.prefix { !Array(",]} \n".utf8).contains($0) }
      guard !word.isEmpty else { throw Malformed() }
      rest = rest.dropFirst(word.count)
      return .word(String(decoding: word, as: UTF8.self))
    }
  }

  private static func sequence(
    _ rest: inout ArraySlice<UInt8>, _ end: UInt8, _ element: (inout ArraySlice<UInt8>) throws -> Void
  ) throws {
    rest.removeFirst()
    skip(&rest)
    if rest.first == end {
      rest.removeFirst()
      return
    }
    while true {
      skip(&rest)
      try element(&rest)
      skip(&rest)
      let mark = rest.popFirst()
      if mark == end { return }
      guard mark == UInt8(ascii: ",") else { throw Malformed() }
    }
  }

  private static func skip(_ rest: inout ArraySlice<UInt8>) {
    while let byte = rest.first, byte == 0x20 || byte == 0x0A { rest.removeFirst() }
  }
}
