package import ConsentContract
package import Refusals

/// Checks sharing choices that are recorded together with a consent.
package enum SharingRules {
  /// Refuses a choice if the document offers none: the record would answer a question that nobody was asked.
  package static func check(
    _ choice: SharingChoice, on settings: DocumentSettings, _ field: String
  ) throws(Refusal) {
    guard choice != .unspecified, !settings.offersSharing else { return }
    let message = "\(field) is \(choice.number), and the document offers no sharing choice; leave it out"
    throw Refusal(.invalid, "sharing_not_offered", field: field, message)
  }
}
