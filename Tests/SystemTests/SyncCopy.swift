import AccountContract
import ConsentContract
import SignatureContract
import Wire

/// What a device holds of one person: every change as it came, by its kind and identifier.
struct SyncCopy {
  private(set) var cursor = ""
  private(set) var things: [String: [ChangeBody]] = [:]

  mutating func take(_ answer: PullChangesResponse) {
    if answer.resync { things = [:] }
    for change in answer.changes {
      things["\(change.kind)/\(change.id)"] = change.removed ? nil : change.bodies
    }
    cursor = answer.cursor
  }

  private func messages<Body: Message>(_ type: Body.Type) -> [Body] {
    things.values.joined().filter { $0.type == Body.messageName }.compactMap { try? Body(decoding: $0.value) }
  }

  /// What another copy has in another way, or one of both has not, each in words.
  func differences(to other: SyncCopy) -> [String] {
    let differing = Set(things.keys).union(other.things.keys).sorted().filter { name in
      let (own, others) = (things[name], other.things[name])
      // A session that a visit has left open is shown in another way where it does not go on.
      return name.hasPrefix("session/") ? (own == nil) != (others == nil) : own != others
    }
    return differing.map { "\($0): \(Self.words(things[$0])) and \(Self.words(other.things[$0]))" }
  }

  private static func words(_ bodies: [ChangeBody]?) -> String {
    guard let bodies else { return "nothing" }
    return "\(bodies.map { body in (try? ConsentRecord(decoding: body.value)).map { "\($0)" } ?? "\(body)" })"
  }

  var profile: PersonProfile? { messages(PersonProfile.self).first }
  /// The names of fields that were made by themselves, and not for a consent.
  var fieldNames: [String] { messages(FieldView.self).filter { $0.reference?.sessionID == "" }.map(\.header) }

  /// The states of the person's records.
  var states: [String: RecordState] {
    Dictionary(uniqueKeysWithValues: messages(ConsentRecord.self).map { ($0.recordID, $0.state) })
  }
}
