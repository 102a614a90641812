internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// Identifiers that a device chose for records, so that later items of its queue can name them.
extension [ChosenRecord] {
  /// The identifiers, by step.
  ///
  /// - Parameter path: the field of the request in which the one at a place stands.
  func chosen(
    _ snapshot: Snapshot, path: (Int) -> String = { "record_ids[\($0)]" }
  ) throws -> [String: String] {
    var byStep: [String: String] = [:]
    for (index, chosen) in enumerated() where !chosen.recordID.isEmpty {
      let (id, field) = (chosen.recordID, path(index))
      try ChosenIdentifier.check(id, "\(field).record_id")
      guard byStep[chosen.stepID] == nil, !byStep.values.contains(id), try !RecordStore.exists(id, snapshot) else {
        throw Refusal(
          .alreadyExists, "record_exists", field: field, "\(field): the step or the record '\(id)' was named before")
      }
      byStep[chosen.stepID] = id
    }
    return byStep
  }
}

extension RecordConsentRequest {
  /// The identifiers that the app chose for the records of its decisions, by step.
  func recordIDs(_ script: FlowScript, _ snapshot: Snapshot) throws -> [String: String] {
    // A document has other steps besides, such as its questions; its record is that of the review.
    let reviews = script.steps.filter(\.isReview).map { ($0.documentID, $0.id) }
    let steps = Dictionary(reviews) { first, _ in first }
    let ofForms = forms.map { ChosenRecord(stepID: $0.stepID, recordID: $0.recordID) }
    let ofDocuments = documents.map { ChosenRecord(stepID: steps[$0.documentID] ?? "", recordID: $0.recordID) }
    return try (ofForms + ofDocuments).chosen(snapshot) { place in
      place < forms.count ? "forms[\(place)]" : "documents[\(place - forms.count)]"
    }
  }
}
