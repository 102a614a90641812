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

  var profile: PersonProfile? { messages(PersonProfile.self).first }
  var fieldNames: [String] { messages(FieldView.self).map(\.header) }

  /// The states of the person's records.
  var states: [String: RecordState] {
    Dictionary(uniqueKeysWithValues: messages(ConsentRecord.self).map { ($0.recordID, $0.state) })
  }
}
