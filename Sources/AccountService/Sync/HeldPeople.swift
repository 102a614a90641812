internal import AccountContract
internal import ServicePolicy

/// The people of whom an item waits, during a sync in parts: their items in later parts wait behind it.
struct HeldPeople: Sendable {
  /// More than any device has. Without a bound a call could fill the memory, part by part.
  private static let most = 10_000

  private var first: [String: String] = [:]

  /// The first of the person's items that waits; nil: none does.
  subscript(person: String) -> String? { first[person] }

  mutating func note(_ outcomes: [ItemOutcome]) throws(Refusal) {
    for outcome in outcomes where !UploadRules.waitsAlone(outcome) {
      if outcome.state == .waiting {
        first[outcome.personID] = first[outcome.personID] ?? outcome.itemID
      } else if first[outcome.personID] == outcome.itemID {
        first[outcome.personID] = nil
      }
    }
    guard first.count <= Self.most else {
      let message = "items of more than \(Self.most) people wait in this sync; begin another one"
      throw Refusal(.invalid, "too_many", field: "push.items", message)
    }
  }
}
