package import ConsentContract
package import ServicePolicy

/// Sharing choices that come with a consent as it is recorded.
package enum SharingRules {
  /// Refuses a choice where the document offers none: it would say of a consent what nobody was asked.
  package static func check(
    _ choice: SharingChoice, on settings: DocumentSettings, _ field: String
  ) throws(Refusal) {
    guard choice != .unspecified, !settings.offersSharing else { return }
    let message = "\(field) is \(choice.number), and the document offers no sharing choice; leave it out"
    throw Refusal(.invalid, "sharing_not_offered", field: field, message)
  }
}
