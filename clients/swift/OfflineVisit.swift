// A visit without a connection: the walk along a table of screens, and the queue that a device sends later.
// docs/offline.md explains both; clients/vectors/offline.json has examples. One file for an app's project, which needs
// nothing but Foundation.

import Foundation

/// A message of the contract in its JSON form, as Connect takes and gives it.
public enum JSON: Hashable, Sendable, Codable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// A field of an object; nil where it has none.
  public subscript(field: String) -> JSON? {
    get { if case .object(let object) = self { object[field] } else { nil } }
    set {
      guard case .object(var object) = self else { return }
      object[field] = newValue
      self = .object(object)
    }
  }

  /// Empty for anything but a text.
  public var string: String { if case .text(let text) = self { text } else { "" } }

  /// Empty for anything but a list.
  public var elements: [JSON] { if case .list(let list) = self { list } else { [] } }
}

extension JSON {
  /// The name in all texts of a screen. In markup it is escaped.
  fileprivate func filled(_ name: String, _ field: String = "") -> JSON {
    switch self {
    case .text(let text):
      return .text(
        text.replacingOccurrences(of: "{participant.name}", with: field == "html" ? Self.escaped(name) : name))
    case .list(let list): return .list(list.map { $0.filled(name, field) })
    case .object(let object):
      return .object(Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value.filled(name, $0.key)) }))
    default: return self
    }
  }

  private static func escaped(_ text: String) -> String {
    let references: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return text.map { references[$0] ?? String($0) }.joined()
  }
}

/// Walks a session along its table.
public struct OfflineWalk: Sendable {
  private let bundle: JSON
  private let sessionID: String
  private let subjectID: String
  private var row = 0
  private var actions: [JSON] = []
  /// The names that were entered, as they are printed, by step and signature.
  private var names: [String: String] = [:]

  /// - Parameters:
  ///   - sessionID: the session's identifier: the device's choice, where the table names none.
  ///   - subjectID: whose session it is; for the fields in which that person signs.
  public init(bundle: JSON, sessionID: String, subjectID: String) {
    (self.bundle, self.sessionID, self.subjectID) = (bundle, sessionID, subjectID)
  }

  private var here: JSON {
    let rows = bundle["screens"]?.elements ?? []
    return rows.indices.contains(row) ? rows[row] : .null
  }

  private var edges: [JSON] { here["edges"]?.elements ?? [] }

  /// What is to be shown, with the name in it that was entered on the way.
  public var screen: JSON {
    let places = here["names"]?.elements ?? []
    let screen = here["screen"] ?? .null
    guard !places.isEmpty else { return screen }
    return screen.filled(
      places.lazy.compactMap { names[Self.key(of: $0, $0)] }.first ?? here["nameBefore"]?.string ?? "")
  }

  private static func key(of step: JSON, _ signature: JSON) -> String {
    "\(step["stepId"]?.string ?? "")/\(signature["signatureId"]?.string ?? "")"
  }

  /// A name as it is printed: its parts with a no-break space between them.
  private static func printed(_ name: JSON, _ form: JSON) -> String {
    let order = form["familyFirst"] == .boolean(true) ? ["family", "given"] : ["given", "family"]
    let fields = name["mononym"]?.string.isEmpty == false ? ["mononym"] : order
    let parts = fields.map { (name[$0]?.string ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\u{A0}")
  }

  /// Whether nothing more is offered.
  public var hasEnded: Bool { edges.isEmpty }

  /// How the session has ended, where it has.
  public var outcome: String? { here["outcome"]?.string }

  /// What a field must be made for to be signed with on this screen.
  public var place: JSON? {
    var place = screen["signatureForm"]?["place"]
    place?["sessionId"] = .text(sessionID)
    place?["subjectId"] = .text(subjectID)
    return place
  }

  /// Does what the screen offers, and goes on to the next one; false where the screen does not offer it.
  public mutating func act(_ action: JSON) -> Bool {
    guard let edge = edges.first(where: { $0["action"] == action["kind"] }) else { return false }
    if let form = here["screen"]?["nameForm"], let name = action["name"] {
      names[Self.key(of: here["screen"] ?? .null, form)] = Self.printed(name, form)
    }
    actions.append(action)
    if case .number(let successor)? = edge["successor"] { row = Int(successor) } else { row = 0 }
    return true
  }

  /// What hands the walk in. It may be handed in before its end, and goes on with a connection then.
  public func submission(recordIDs: [JSON] = []) -> JSON {
    .object([
      "sessionId": .text(sessionID), "bundleHash": bundle["bundleHash"] ?? .text(""), "actions": .list(actions),
      "recordIds": .list(recordIDs),
    ])
  }
}

/// What a device shows of an item after an upload.
public enum ItemNotice: String, Sendable {
  /// It is done.
  case nothing
  /// It is sent again, without anybody doing anything.
  case later
  /// Its person has to sign in.
  case signIn = "sign_in"
  /// An administrator has to unlock its person.
  case unlock
  /// An administrator has to invite its person.
  case invite
  /// Its person decides, on the screen FAILED_ITEMS: the server keeps it.
  case decide
  /// It is kept here, and somebody who looks after the device has to be told.
  case report

  public init(_ outcome: JSON) {
    let rule = outcome["rule"]?.string ?? ""
    switch outcome["state"]?.string ?? "" {
    case "ITEM_STATE_DONE", "ITEM_STATE_DISCARDED": self = .nothing
    case "ITEM_STATE_FAILED", "ITEM_STATE_CONFLICT": self = .decide
    case "ITEM_STATE_REFUSED": self = .report
    default:
      switch rule {
      case _ where rule.hasPrefix("grant_"), "waits_for_person": self = .signIn
      case "person_locked": self = .unlock
      case "not_on_device": self = .invite
      default: self = .later
      }
    }
  }
}

/// The queue of a device that several people share, in the order in which they did things. It is to be stored with
/// every change, sealed under a key of the device and not of a person, since it goes up while others are signed in.
public struct OfflineQueue: Sendable {
  private static let mostItems = 1000
  private static let mostBytes = 8 << 20

  /// What is kept, for storing it.
  public private(set) var kept: [JSON]
  private var refused: Set<String> = []
  private var sent: Set<String> = []
  private var held: Set<String> = []

  public init(_ kept: [JSON] = []) { self.kept = kept }

  public mutating func note(_ item: JSON) { kept.append(item) }

  /// Begins a sync: what waited before is sent again.
  public mutating func begin() { (sent, held) = ([], []) }

  /// The next part as PushQueue takes it; nil where this sync has sent everything that may be sent.
  ///
  /// - Parameter grants: the newest upload grant of each person, by person.
  public mutating func next(_ grants: [String: String]) -> JSON? {
    var (items, own, people, bytes) = ([JSON](), [JSON](), Set<String>(), 0)
    for item in kept {
      let person = item["personId"]?.string ?? ""
      guard !sent.contains(Self.name(of: item)), !refused.contains(Self.name(of: item)), !held.contains(person) else {
        continue
      }
      bytes += (item["request"]?.string.utf8.count ?? 0) * 3 / 4
      if items.count == Self.mostItems || (bytes > Self.mostBytes && !items.isEmpty) { break }
      items.append(item)
      if people.insert(person).inserted, let grant = grants[person] { own.append(.text(grant)) }
    }
    guard !items.isEmpty else { return nil }
    sent.formUnion(items.map(Self.name))
    return .object(["items": .list(items), "grants": .list(own)])
  }

  /// Takes the answers to a part. Without an answer nothing changes: the next sync sends the part again.
  public mutating func take(_ outcomes: [JSON]) {
    var ended: Set<String> = []
    for outcome in outcomes {
      switch outcome["state"]?.string ?? "" {
      case "", "ITEM_STATE_UNSPECIFIED", "ITEM_STATE_WAITING":
        if outcome["rule"]?.string != "waits_for_item" { held.insert(outcome["personId"]?.string ?? "") }
      case "ITEM_STATE_REFUSED": refused.insert(Self.name(of: outcome))
      default: ended.insert(Self.name(of: outcome))
      }
    }
    kept.removeAll { ended.contains(Self.name(of: $0)) }
  }

  /// The name of an item, or of what an outcome is about.
  public static func name(of item: JSON) -> String {
    "\(item["personId"]?.string ?? "")/\(item["itemId"]?.string ?? "")"
  }
}
