internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// The next changes of a person, with what AccountService itself has of them, all read from one snapshot.
struct DownloadPage: Sendable {
  private static let size = 100
  /// How large one message may become, so that a sync of any size takes little memory.
  static let mostBytes = 1 << 20

  private(set) var changes: [(noted: NotedChange, own: [ChangeBody]?)] = []
  /// Whether no change follows.
  private(set) var isLast: Bool
  /// The end of AccountService's log at that moment.
  let position: EventPosition

  init(of person: String, after sequence: Int64, _ snapshot: Snapshot) throws {
    let noted = try ChangeStore.changes(of: person, after: sequence, limit: Self.size, snapshot)
    isLast = noted.count < Self.size
    position = try EventPosition(endOf: snapshot)
    let subject = try Subject.named(person, field: "person_id")
    let isErased = try snapshot.vault.isErased(subject)
    let items = try OwnItems(of: person, snapshot)
    var bytes = 0
    for change in noted {
      guard bytes < Self.mostBytes else {
        isLast = false
        break
      }
      let own = change.isRemoved || isErased ? [] : try Self.own(change, of: subject, items, snapshot)
      bytes += own.reduce(0) { $0 + $1.value.count }
      changes.append((change, change.kind.isOfAnotherService ? nil : own))
    }
  }

  /// The device and the identifier of an item, by its change.
  private static func name(of change: NotedChange) -> (id: String, deviceID: String)? {
    guard change.kind == .item, let slash = change.id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return (String(change.id[change.id.index(after: slash)...]), String(change.id[..<slash]))
  }

  private static func own(
    _ change: NotedChange, of person: Subject, _ items: OwnItems, _ snapshot: Snapshot
  ) throws -> [ChangeBody] {
    switch change.kind {
    case .profile: return [try ChangeBody(try PersonStore.profile(of: person, snapshot))]
    case .roles:
      let roles = try RoleStore.roles(of: person.id, snapshot)
      return [try ChangeBody(AccountEntry(personID: person.id, roles: roles))]
    case .item:
      // An item that the person has discarded is gone; one that somebody else has discarded is sent, with the reason.
      guard let name = name(of: change), let kept = try items.item(name.id, from: name.deviceID),
        let outcome = UploadRules.told(kept), outcome.state != .discarded || !outcome.reason.isEmpty
      else { return [] }
      return [try ChangeBody(outcome)]
    default: return []
    }
  }
}

extension SyncChangeKind {
  fileprivate var isOfAnotherService: Bool { [.record, .field, .task, .session].contains(self) }
}

extension ChangeBody {
  init<Body: Message>(_ body: Body) throws {
    self.init(type: Body.messageName, value: try body.encoded())
  }
}
